import { percentTexts } from '#client/ui/text/count.ts'
import type { Role } from '#client/ui/theme/roles.ts'

/** One bar or slice of a chart. */
export type ChartPart = {
  key: string
  label: string
  /** What stands below a bar, where the label is too long for it. */
  short?: string
  value: number
  /** The value in words. */
  text: string
  role: Role
  /** It leads somewhere. */
  isPickable: boolean
  /** What the table says of it beside its label. */
  cells: string[]
}

/** How a chart tells what was chosen: by the key of its part. */
export type OnPick = (key: string) => void

export const sumOf = (parts: readonly ChartPart[]): number => parts.reduce((sum, { value }) => sum + value, 0)

/** The share of a part, of 1. */
export const shareOf = (part: ChartPart, parts: readonly ChartPart[]): number => part.value / (sumOf(parts) || 1)

/** The share of each part in words, by its key; together they are all of it. Wherever a share of a chart is written it is this. */
export function shareTexts(parts: readonly ChartPart[]): (part: Pick<ChartPart, 'key'>) => string {
  const texts = percentTexts(parts.map(({ value }) => value))
  const byKey = new Map(parts.map(({ key }, place) => [key, texts[place] ?? '']))
  return ({ key }) => byKey.get(key) ?? ''
}

/** The parts with their share as the last of their cells. */
export function withShares(parts: readonly ChartPart[]): ChartPart[] {
  const text = shareTexts(parts)
  return parts.map((part) => ({ ...part, cells: [...part.cells, text(part)] }))
}

/** A slice below this share has no label. */
export const leastLabelled = 0.05

const categories = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

/** The colour of a series by its place; more than six begin anew. */
export const categoryOf = (place: number): Role => categories[place % categories.length] ?? 'other'
