import { useSnapshot } from 'valtio'
import { IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { refusalFor } from '#client/app/session.state.ts'
import { navigate } from '#client/app/place/navigate.ts'
import type { DetailedVolume } from '#events/storages.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { useLinks } from '#client/app/links.ts'
import { DistributionChart } from '#client/parts/distribution/DistributionChart.tsx'
import { MeasureChoice } from '#client/parts/distribution/MeasureChoice.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { statisticChart, type StatisticChart } from './statisticChart.ts'
import { statistics } from './statistics.ts'
import classes from './Statistics.module.css'

type StatisticsProps = { volume: DetailedVolume; measure: Measure; onMeasure: (measure: Measure) => void }

/** Charts about the files of a storage, in one to three columns. */
export function Statistics({ volume, measure, onMeasure }: StatisticsProps) {
  const { base } = useSnapshot(sizeSetting)
  const links = useLinks()
  if (volume.limited)
    return (
      <Panel title="Statistics">
        <Notice
          icon={IconChartBar}
          step={
            <Link href={links.search({ volumeId: [String(volume.id)], activeTab: 2 })}>
              Analytics of the files you see
            </Link>
          }
        >
          {refusalFor()}
        </Notice>
      </Panel>
    )
  return (
    <section className={classes.statistics} aria-labelledby="statistics">
      <div className={classes.bar}>
        <h2 id="statistics">Statistics</h2>
        <MeasureChoice measure={measure} onChange={onMeasure} />
      </div>
      <div className={`grid gap-12 ${classes.cards}`}>
        {statistics
          .filter(({ isOf }) => isOf(volume.type))
          .map((statistic) => (
            <StatisticCard
              key={statistic.key}
              title={statistic.title}
              chart={statisticChart(statistic, volume, { measure, base })}
            />
          ))}
      </div>
    </section>
  )
}

type StatisticCardProps = { title: string; chart: StatisticChart | undefined }

/** A distribution; clicking a bar searches for its files. */
function StatisticCard({ title, chart }: StatisticCardProps) {
  const links = useLinks()
  const [isTable, setTable] = useState(false)
  const pick = (key: string) => {
    const search = chart?.searches.get(key)
    if (search) navigate(links.search(search))
  }
  return (
    <Panel title={title} actions={chart && <TableSwitch title={title} isTable={isTable} onTurn={setTable} />}>
      {chart ? (
        <div className={classes.chart}>
          <DistributionChart chart={chart} isTable={isTable} onPick={pick} />
        </div>
      ) : (
        <Notice icon={IconChartBar}>There is no data for this indexing date.</Notice>
      )}
    </Panel>
  )
}
