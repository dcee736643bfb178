import type { Asked } from './asked.ts'
import type { CardChart, FilterChange } from './cardChart.ts'
import type { Reading } from '../../ui/charts/measure.ts'

/** What every card is given. */
export type CardProps = {
  asked: Asked
  reading: Reading
  onFilter: (change: FilterChange) => void
  onPreview: (chart: CardChart) => void
}
