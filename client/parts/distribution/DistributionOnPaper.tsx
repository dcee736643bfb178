import { View } from '@react-pdf/renderer'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { PdfColumns } from '#client/ui/charts/pdf/PdfColumns.tsx'
import { PdfDonut } from '#client/ui/charts/pdf/PdfDonut.tsx'
import { PdfCard } from '#client/ui/charts/pdf/PdfPage.tsx'
import { PdfParts } from '#client/ui/charts/pdf/PdfParts.tsx'
import type { Distribution } from './distribution.ts'

type DistributionOnPaperProps = {
  chart: Distribution
  note?: string
  /** Rows of the table, if not all parts are listed. */
  listed?: ChartPart[]
}

/** A distribution in a PDF: chart and table. */
export function DistributionOnPaper({ chart, note, listed = chart.parts }: DistributionOnPaperProps) {
  const { title, shape, parts, columns, total, reading } = chart
  return (
    <PdfCard title={title} {...(note !== undefined && { note })}>
      {shape === 'columns' && <PdfColumns parts={parts} base={stepBase(reading)} tickText={tickText(reading)} />}
      {shape === 'circle' ? (
        <View style={{ flexDirection: 'row', alignItems: 'center' }}>
          <PdfDonut parts={parts} total={total} />
          <PdfParts parts={listed} columns={columns} mark="dot" />
        </View>
      ) : (
        <PdfParts parts={listed} columns={columns} mark={shape === 'bars' ? 'bar' : 'none'} />
      )}
    </PdfCard>
  )
}
