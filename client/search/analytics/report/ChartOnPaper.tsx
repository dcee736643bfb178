import { View } from '@react-pdf/renderer'
import { PdfColumns } from '../../../ui/charts/pdf/PdfColumns.tsx'
import { PdfDonut } from '../../../ui/charts/pdf/PdfDonut.tsx'
import { PdfCard } from '../../../ui/charts/pdf/PdfPage.tsx'
import { PdfParts } from '../../../ui/charts/pdf/PdfParts.tsx'
import type { CardChart } from '../cardChart.ts'
import { stepBase, tickText } from '../../../ui/charts/measure.ts'

/** A card of the screen on paper, with its numbers. */
export function ChartOnPaper({ chart }: { chart: CardChart }) {
  const { title, note, shape, parts, columns, total, reading } = chart
  return (
    <PdfCard title={title} note={note}>
      {shape === 'columns' && <PdfColumns parts={parts} base={stepBase(reading)} tickText={tickText(reading)} />}
      {shape === 'circle' ? (
        <View style={{ flexDirection: 'row', alignItems: 'center' }}>
          <PdfDonut parts={parts} total={total} />
          <PdfParts parts={parts} columns={columns} mark="dot" />
        </View>
      ) : (
        <PdfParts parts={parts} columns={columns} mark={shape === 'bars' ? 'bar' : 'none'} />
      )}
    </PdfCard>
  )
}
