import { percentText } from '#client/ui/text/count.ts'
import type { Role } from '#client/ui/theme/roles.ts'

/** One bar or slice of a chart. */
export type ChartPart = {
  key: string
  label: string
  /** Shown below a bar when the label is too long. */
  short?: string
  value: number
  /** The value as text. */
  text: string
  role: Role
  /** Clicking it opens something. */
  isPickable: boolean
  /** Cells of the table after the label. */
  cells: string[]
}

/** Called with the key of the selected part. */
export type OnPick = (key: string) => void

export const sumOf = (parts: readonly ChartPart[]): number => parts.reduce((sum, { value }) => sum + value, 0)

/** Share of a part, 0 to 1. */
export const shareOf = (part: ChartPart, parts: readonly ChartPart[]): number => part.value / (sumOf(parts) || 1)

/** Share of a part as text. */
export const shareText = (part: ChartPart, parts: readonly ChartPart[]): string => percentText(shareOf(part, parts))

/** Adds the share of each part as its last cell. */
export const withShares = (parts: readonly ChartPart[]): ChartPart[] =>
  parts.map((part) => ({ ...part, cells: [...part.cells, shareText(part, parts)] }))

/** Smaller slices have no label. */
export const minLabeledShare = 0.05

const categories = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

/** Color of a series by its index; repeats after six. */
export const categoryOf = (place: number): Role => categories[place % categories.length] ?? 'other'
