import { Text } from '@react-pdf/renderer'
import { type Reading, stepBase, tickText } from '../../ui/charts/measure.ts'
import { PdfColumns } from '../../ui/charts/pdf/PdfColumns.tsx'
import { PdfCard } from '../../ui/charts/pdf/PdfPage.tsx'
import { PdfParts } from '../../ui/charts/pdf/PdfParts.tsx'
import type { StatisticChart } from '../statisticChart.ts'

type StatisticOnPaperProps = { title: string; chart: StatisticChart | undefined; reading: Reading }

/** A distribution; ranges without files are in the drawing only. */
export function StatisticOnPaper({ title, chart, reading }: StatisticOnPaperProps) {
  if (!chart)
    return (
      <PdfCard title={title}>
        <Text>There is no data for this indexing date.</Text>
      </PdfCard>
    )
  const { shape, columns } = chart
  const parts = chart.parts.filter(({ value }) => value > 0)
  return (
    <PdfCard title={title}>
      {shape === 'columns' && <PdfColumns parts={chart.parts} base={stepBase(reading)} tickText={tickText(reading)} />}
      <PdfParts parts={parts} columns={columns} mark={shape === 'bars' ? 'bar' : 'none'} />
    </PdfCard>
  )
}
