import { proxy } from 'valtio'
import { json, remembered } from '#client/ui/remembered.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { type CostPeriod, costPeriods } from './costChart.ts'
import type { FieldCard } from './fieldCards.ts'
import { minItems, maxItems, defaultItems } from './fieldChart.ts'

type Shape = FieldCard['defaultShape']
type Choices = {
  measure: Measure
  shapes: Record<string, Shape>
  shown: Record<string, number>
  costPeriod: CostPeriod
}
/** Fields of a card that determine its options. */
type ChosenCard = Pick<FieldCard, 'key' | 'defaultShape'>

const stored = remembered('searchAnalytics', json(readChoices), readChoices({}))

/**
 * Options of the analytics in this browser: size or count, interval of costs, and shape and number of items per card.
 */
export const analyticsState = proxy<Choices>(stored.read())

export const shapeOf = ({ shapes }: Pick<Choices, 'shapes'>, card: ChosenCard): Shape =>
  shapes[card.key] ?? card.defaultShape
export const itemLimit = ({ shown }: Pick<Choices, 'shown'>, card: ChosenCard): number =>
  shown[card.key] ?? defaultItems

export function chooseMeasure(measure: Measure): void {
  analyticsState.measure = measure
  save()
}

export function chooseShape(card: Pick<FieldCard, 'key'>, shape: Shape): void {
  analyticsState.shapes[card.key] = shape
  save()
}

export function chooseItemLimit(card: Pick<FieldCard, 'key'>, shown: number): void {
  analyticsState.shown[card.key] = Math.min(maxItems, Math.max(minItems, shown))
  save()
}

export function chooseCostPeriod(period: CostPeriod): void {
  analyticsState.costPeriod = period
  save()
}

const save = () => stored.write(analyticsState)

function readChoices(value: unknown): Choices {
  const chosen: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {}
  const listed = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {})
  return {
    measure: chosen['measure'] === 'count' ? 'count' : 'size',
    costPeriod: costPeriods.find((period) => period === chosen['costPeriod']) ?? 'Monthly',
    shapes: Object.fromEntries(listed(chosen['shapes']).filter(([, shape]) => shape === 'circle' || shape === 'bars')),
    shown: Object.fromEntries(
      listed(chosen['shown']).filter(([, shown]) => Number(shown) >= minItems && Number(shown) <= maxItems),
    ),
  }
}
