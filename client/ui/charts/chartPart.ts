import type { Role } from '../../app/theme/roles.ts'

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

/** A slice below this share has no label. */
export const leastLabelled = 0.05

const categories = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

/** The colour of a series by its place; more than six begin anew. */
export const categoryOf = (place: number): Role => categories[place % categories.length] ?? 'other'
