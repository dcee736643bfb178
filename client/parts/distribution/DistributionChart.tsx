import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { Columns } from '#client/ui/charts/Columns.tsx'
import { Donut } from '#client/ui/charts/Donut.tsx'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { RankedBars } from '#client/ui/charts/RankedBars.tsx'
import { type Distribution, withoutEmptyEnds } from './distribution.ts'

type DistributionChartProps = { chart: Distribution; isTable: boolean; onPick: (key: string) => void }

/** A distribution as columns, bars, ring or table. */
export function DistributionChart({ chart, isTable, onPick }: DistributionChartProps) {
  const { title, shape, summary, columns, parts, total, reading } = chart
  return (
    <ChartFigure summary={summary} parts={parts} columns={columns} asTable={isTable} onPick={onPick}>
      {shape === 'columns' && (
        <Columns
          label={title}
          parts={withoutEmptyEnds(parts)}
          base={stepBase(reading)}
          tickText={tickText(reading)}
          onPick={onPick}
        />
      )}
      {shape === 'circle' && <Donut parts={parts} total={total} onPick={onPick} />}
      {shape === 'bars' && <RankedBars parts={parts} onPick={onPick} />}
    </ChartFigure>
  )
}
