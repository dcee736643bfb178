import { proxy } from 'valtio'
import { type CostPeriod, costPeriods } from './costPeriods.ts'
import type { FieldCard } from './fieldCards.ts'
import { fewestShown, mostShown, usuallyShown } from './fold.ts'
import type { Measure } from '../../ui/charts/measure.ts'

export type Shape = FieldCard['usually']
type Chosen = {
  measure: Measure
  shapes: Record<string, Shape>
  shown: Record<string, number>
  costPeriod: CostPeriod
}
/** What is chosen of a card. */
type ChosenCard = Pick<FieldCard, 'key' | 'usually'>

const key = 'searchAnalytics'

/** How this browser shows analytics: by size or by count, costs per what, and of each card its form and how many items it has. */
export const analyticsState = proxy<Chosen>(kept())

export const shapeOf = ({ shapes }: Pick<Chosen, 'shapes'>, card: ChosenCard): Shape => shapes[card.key] ?? card.usually
export const shownOf = ({ shown }: Pick<Chosen, 'shown'>, card: ChosenCard): number => shown[card.key] ?? usuallyShown

export function chooseMeasure(measure: Measure): void {
  analyticsState.measure = measure
  keep()
}

export function chooseShape(card: Pick<FieldCard, 'key'>, shape: Shape): void {
  analyticsState.shapes[card.key] = shape
  keep()
}

export function chooseShown(card: Pick<FieldCard, 'key'>, shown: number): void {
  analyticsState.shown[card.key] = Math.min(mostShown, Math.max(fewestShown, shown))
  keep()
}

export function chooseCostPeriod(period: CostPeriod): void {
  analyticsState.costPeriod = period
  keep()
}

const keep = () => localStorage.setItem(key, JSON.stringify(analyticsState))

function kept(): Chosen {
  const chosen = readKept()
  const listed = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {})
  return {
    measure: chosen['measure'] === 'count' ? 'count' : 'size',
    costPeriod: costPeriods.find((period) => period === chosen['costPeriod']) ?? 'Monthly',
    shapes: Object.fromEntries(listed(chosen['shapes']).filter(([, shape]) => shape === 'circle' || shape === 'bars')),
    shown: Object.fromEntries(
      listed(chosen['shown']).filter(([, shown]) => Number(shown) >= fewestShown && Number(shown) <= mostShown),
    ),
  }
}

function readKept(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}
  } catch {
    // Whatever else wrote there: begin anew.
    return {}
  }
}
