import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { SearchInput } from '#events/search/searched.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { readVolumesAt, useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { MeasureChoice } from '#client/parts/distribution/MeasureChoice.tsx'
import { PdfPreview } from '#client/parts/pdf-preview/PdfPreview.tsx'
import { analyticsState, chooseMeasure } from './analytics.state.ts'
import { coverageText } from '#client/parts/media/mediaWords.ts'
import { mediaRequest, totalsRequest } from './analyticsQueries.ts'
import type { CardChart, FilterChange } from './cardChart.ts'
import { CostCard } from './CostCard.tsx'
import { DateCard } from './DateCard.tsx'
import { dateCards } from './dateChart.ts'
import { rangeOf } from './dateWindow.ts'
import { fieldCards, mediaCards } from './fieldCards.ts'
import { FieldCardView } from './FieldCardView.tsx'
import { queryFacts } from '#client/parts/searched/queryFacts.ts'
import { topics } from './searchRequest.ts'
import { readReport, type ReportOptions } from './report/readReport.ts'
import classes from './Analytics.module.css'

type AnalyticsProps = {
  searched: SearchInput
  /** Undefined for the newest snapshot. */
  indexingDate: string | undefined
  /** Sets query parameters after a selection in a chart. */
  onFilter: (change: FilterChange) => void
  /** Empty state. */
  empty?: ReactNode
}

/** Charts of the files that a search finds. Clicking a part filters by it. */
export function Analytics({ searched, indexingDate, onFilter, empty }: AnalyticsProps) {
  const { measure } = useSnapshot(analyticsState)
  const { base } = useSnapshot(sizeSetting)
  const present = useActiveDate().active?.indexingDate
  const search = { searched, indexingDate }
  const totals = useRemote(...totalsRequest(search), ...topics)
  const media = useRemote(...mediaRequest(search), ...topics).data
  const volumes = useVolumesAt(indexingDate).data?.elements ?? []
  const [preview, setPreview] = useState<{ chart: CardChart | undefined }>()
  if (present === undefined) return null
  if (empty !== undefined && totals.data?.count === 0) return empty
  const reading = { measure, base }
  const each = { search, reading, onFilter, onPreview: (chart: CardChart) => setPreview({ chart }) }
  return (
    <>
      <Bar measure={measure} onReport={() => setPreview({ chart: undefined })} />
      <div className="halves">
        {dateCards.map(({ field, title }) => (
          // A moved window is reset when its range changes.
          <DateCard
            key={[field, present, ...Object.values(rangeOf(searched, field, present))].join()}
            {...each}
            field={field}
            title={title}
            present={present}
          />
        ))}
        {fieldCards.map((card) => (
          <FieldCardView key={card.key} {...each} card={card} whole={totals.data} volumes={volumes} />
        ))}
        {media &&
          media.read > 0 &&
          mediaCards.map((card) => (
            <FieldCardView
              key={card.key}
              {...each}
              card={{ ...card, rule: coverageText(media) }}
              whole={undefined}
              volumes={volumes}
            />
          ))}
        <CostCard {...each} />
      </div>
      {preview && (
        <ReportPreview
          search={search}
          present={present}
          reading={reading}
          chart={preview.chart}
          onClose={() => setPreview(undefined)}
        />
      )}
    </>
  )
}

function Bar({ measure, onReport }: { measure: Measure; onReport: () => void }) {
  return (
    <div className={classes.bar}>
      <MeasureChoice measure={measure} onChange={chooseMeasure} />
      <Button variant="default" leftSection={<IconFileTypePdf size={16} stroke={1.5} />} onClick={onReport}>
        Search report
      </Button>
    </div>
  )
}

type ReportPreviewProps = Omit<ReportOptions, 'volumes'> & {
  /** The only chart to show; undefined for the report of the whole search. */
  chart: CardChart | undefined
  onClose: () => void
}

/** Preview of a chart or of the whole report as PDF. */
function ReportPreview({ chart, onClose, ...report }: ReportPreviewProps) {
  const { search, present } = report
  const day = search.indexingDate ?? present
  const make = async () => {
    const { chartFile, searchReportFile } = await import('./report/reportFile.tsx')
    const volumes = await readVolumesAt(search.indexingDate)
    if (chart) return chartFile(day, queryFacts(search.searched, volumes), chart)
    return searchReportFile(await readReport({ ...report, volumes }))
  }
  const title = chart?.title ?? 'Search Report'
  const fileName = `${title.replaceAll(' ', '')}-${day}.pdf`
  return <PdfPreview title={title} fileName={fileName} make={make} onClose={onClose} />
}
