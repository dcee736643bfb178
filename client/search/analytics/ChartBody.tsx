import { ChartFigure } from '../../ui/charts/ChartFigure.tsx'
import { Columns } from '../../ui/charts/Columns.tsx'
import { Donut } from '../../ui/charts/Donut.tsx'
import { RankedBars } from '../../ui/charts/RankedBars.tsx'
import type { CardChart, FilterChange } from './cardChart.ts'
import { stepBase, tickText } from '../../ui/charts/measure.ts'

type ChartBodyProps = { chart: CardChart; isTable: boolean; onFilter: (change: FilterChange) => void }

/** A chart of a card in its form; what is chosen in it becomes a filter. */
export function ChartBody({ chart, isTable, onFilter }: ChartBodyProps) {
  const { title, shape, summary, columns, parts, total, reading, changes } = chart
  const pick = (key: string) => {
    const change = changes.get(key)
    if (change) onFilter(change)
  }
  return (
    <ChartFigure summary={summary} parts={parts} columns={columns} asTable={isTable} onPick={pick}>
      {shape === 'columns' && (
        <Columns label={title} parts={parts} base={stepBase(reading)} tickText={tickText(reading)} onPick={pick} />
      )}
      {shape === 'circle' && <Donut parts={parts} total={total} onPick={pick} />}
      {shape === 'bars' && <RankedBars parts={parts} onPick={pick} />}
    </ChartFigure>
  )
}
