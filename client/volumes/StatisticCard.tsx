import { IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useLinks } from '../app/links.ts'
import { ChartFigure } from '../ui/charts/ChartFigure.tsx'
import { Columns } from '../ui/charts/Columns.tsx'
import { type Reading, stepBase, tickText } from '../ui/charts/measure.ts'
import { RankedBars } from '../ui/charts/RankedBars.tsx'
import { TableSwitch } from '../ui/charts/TableSwitch.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import type { StatisticChart } from './statisticChart.ts'
import classes from './Volume.module.css'

type StatisticCardProps = { title: string; chart: StatisticChart | undefined; reading: Reading }

/** A distribution; a bar leads to its files. */
export function StatisticCard({ title, chart, reading }: StatisticCardProps) {
  const links = useLinks()
  const [isTable, turn] = useState(false)
  const pick = (key: string) => {
    const search = chart?.searches.get(key)
    if (search) navigate(links.search(search))
  }
  return (
    <Panel title={title} actions={chart && <TableSwitch title={title} isTable={isTable} onTurn={turn} />}>
      {chart ? (
        <div className={classes.chart}>
          <ChartFigure {...chart} asTable={isTable} onPick={pick}>
            {chart.shape === 'columns' ? (
              <Columns
                label={title}
                parts={chart.parts}
                base={stepBase(reading)}
                tickText={tickText(reading)}
                onPick={pick}
              />
            ) : (
              <RankedBars parts={chart.parts} onPick={pick} />
            )}
          </ChartFigure>
        </div>
      ) : (
        <Notice icon={IconChartBar}>There is no data for this indexing date.</Notice>
      )}
    </Panel>
  )
}
