import { SegmentedControl } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import type { Measure } from '../ui/charts/measure.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { StatisticCard } from './StatisticCard.tsx'
import { statisticChart } from './statisticChart.ts'
import { statistics } from './statistics.ts'
import classes from './Volume.module.css'

const measures: { value: Measure; label: string }[] = [
  { value: 'size', label: 'Size' },
  { value: 'count', label: 'Files' },
]

type StatisticsProps = { volume: DetailedVolume; measure: Measure; onMeasure: (measure: Measure) => void }

/** What the files of a storage are like. */
export function Statistics({ volume, measure, onMeasure }: StatisticsProps) {
  const { base } = useSnapshot(sizeSetting)
  return (
    <section aria-labelledby="statistics">
      <div className={classes.bar}>
        <h2 id="statistics">Statistics</h2>
        <SegmentedControl
          aria-label="What charts measure"
          size="xs"
          data={measures}
          value={measure}
          onChange={(measure) => onMeasure(measure as Measure)}
        />
      </div>
      <div className={classes.cards}>
        {statistics
          .filter(({ isOf }) => isOf(volume.type))
          .map((statistic) => (
            <StatisticCard
              key={statistic.key}
              title={statistic.title}
              chart={statisticChart(statistic, volume, { measure, base })}
              reading={{ measure, base }}
            />
          ))}
      </div>
    </section>
  )
}
