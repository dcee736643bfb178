import { Button, SegmentedControl } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { SearchFilters } from '#events/search-filters.ts'
import { searchSizes } from '#events/search.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'
import { sizeSetting } from '../../ui/sizeBase.state.ts'
import { useVolumesOf } from '../useVolumesOf.ts'
import { analyticsState, chooseMeasure } from './analytics.state.ts'
import { topics, totalsAsked } from './asked.ts'
import type { CardChart, FilterChange } from './cardChart.ts'
import { CostCard } from './CostCard.tsx'
import { DateCard } from './DateCard.tsx'
import { dateCards } from './dateChart.ts'
import { rangeOf } from './dateWindow.ts'
import { fieldCards } from './fieldCards.ts'
import { FieldCardView } from './FieldCardView.tsx'
import type { Measure } from '../../ui/charts/measure.ts'
import { ReportPreview } from './ReportPreview.tsx'
import classes from './Analytics.module.css'

type AnalyticsProps = {
  /** What is searched for. */
  filters: SearchFilters
  /** The snapshot; undefined is the newest. */
  indexingDate: string | undefined
  /** Sets parameters of the address: what was chosen in a chart. */
  onFilter: (change: FilterChange) => void
  /** What is said where nothing was found. */
  empty?: ReactNode
}

const measures: { value: Measure; label: string }[] = [
  { value: 'size', label: 'Size' },
  { value: 'count', label: 'Files' },
]

/** Charts of the files that a search finds; each part of a chart leads to its files. */
export function Analytics({ filters, indexingDate, onFilter, empty }: AnalyticsProps) {
  const { measure } = useSnapshot(analyticsState)
  const { base } = useSnapshot(sizeSetting)
  const present = useActiveDate().active?.indexingDate
  const asked = { filters, indexingDate }
  const totals = useRemote(searchSizes, totalsAsked(asked), ...topics)
  const volumes = useVolumesOf(indexingDate).data?.elements ?? []
  const [preview, show] = useState<{ chart: CardChart | undefined }>()
  if (present === undefined) return null
  if (empty !== undefined && totals.data?.count === 0) return empty
  const reading = { measure, base }
  const each = { asked, reading, onFilter, onPreview: (chart: CardChart) => show({ chart }) }
  return (
    <>
      <Bar measure={measure} onReport={() => show({ chart: undefined })} />
      <div className={classes.cards}>
        {dateCards.map(({ field, title }) => (
          // A window that was moved belongs to the range that it began with.
          <DateCard
            key={[field, present, ...Object.values(rangeOf(filters, field))].join()}
            {...each}
            field={field}
            title={title}
            present={present}
          />
        ))}
        {fieldCards.map((card) => (
          <FieldCardView key={card.key} {...each} card={card} whole={totals.data} volumes={volumes} />
        ))}
        <CostCard {...each} />
      </div>
      {preview && (
        <ReportPreview
          asked={asked}
          present={present}
          reading={reading}
          volumes={volumes}
          chart={preview.chart}
          onClose={() => show(undefined)}
        />
      )}
    </>
  )
}

function Bar({ measure, onReport }: { measure: Measure; onReport: () => void }) {
  return (
    <div className={classes.bar}>
      <SegmentedControl
        aria-label="What charts measure"
        size="xs"
        data={measures}
        value={measure}
        onChange={(measure) => chooseMeasure(measure as Measure)}
      />
      <Button variant="default" leftSection={<IconFileTypePdf size={16} stroke={1.5} />} onClick={onReport}>
        Search report
      </Button>
    </div>
  )
}
