import { Text } from '@react-pdf/renderer'
import type { DetailedVolume } from '#events/storages.ts'
import { stepBase, tickText } from '../../ui/charts/measure.ts'
import { PdfDayLine } from '../../ui/charts/pdf/PdfDayLine.tsx'
import { PdfCard } from '../../ui/charts/pdf/PdfPage.tsx'
import { written } from '../../ui/charts/pdf/paper.ts'
import type { SizeBase } from '../../ui/text/size.ts'
import { timelineChart } from '../timelineChart.ts'
import type { TimeWindow } from '../timeWindow.ts'

type TimelineOnPaperProps = { points: DetailedVolume[]; frame: TimeWindow; base: SizeBase }

/** How the used capacity went. */
export function TimelineOnPaper({ points, frame: { from, to }, base }: TimelineOnPaperProps) {
  const { parts, limit, summary } = timelineChart(points, base)
  const reading = { measure: 'size', base } as const
  return (
    <PdfCard title="Used Capacity" note={`${from} to ${to}`}>
      {parts.length === 0 ? (
        <Text>There is no data for the selected time frame.</Text>
      ) : (
        <>
          <Text>{written(summary)}</Text>
          <PdfDayLine
            parts={parts}
            from={from}
            to={to}
            base={stepBase(reading)}
            tickText={tickText(reading)}
            limit={limit}
          />
        </>
      )}
    </PdfCard>
  )
}
