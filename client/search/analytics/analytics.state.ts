import { proxy } from 'valtio'
import type { FieldCard } from './fieldCards.ts'
import { fewestShown, mostShown, usuallyShown } from './fold.ts'
import type { Measure } from '../../ui/charts/measure.ts'

export type Shape = FieldCard['usually']
type Chosen = { measure: Measure; shapes: Record<string, Shape>; shown: Record<string, number> }

const key = 'searchAnalytics'

/** How this browser shows analytics: by size or by count, and of each card its form and how many items it has. */
export const analyticsState = proxy<Chosen>(kept())

export const shapeOf = ({ shapes }: Pick<Chosen, 'shapes'>, card: FieldCard): Shape => shapes[card.key] ?? card.usually
export const shownOf = ({ shown }: Pick<Chosen, 'shown'>, card: FieldCard): number => shown[card.key] ?? usuallyShown

export function chooseMeasure(measure: Measure): void {
  analyticsState.measure = measure
  keep()
}

export function chooseShape(card: FieldCard, shape: Shape): void {
  analyticsState.shapes[card.key] = shape
  keep()
}

export function chooseShown(card: FieldCard, shown: number): void {
  analyticsState.shown[card.key] = Math.min(mostShown, Math.max(fewestShown, shown))
  keep()
}

const keep = () => localStorage.setItem(key, JSON.stringify(analyticsState))

function kept(): Chosen {
  const chosen = readKept()
  const listed = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {})
  return {
    measure: chosen['measure'] === 'count' ? 'count' : 'size',
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
