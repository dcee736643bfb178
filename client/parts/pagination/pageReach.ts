import { resultWindow } from '#events/entries.ts'

/** How many pages there are, and the last of them that can be asked for: pages end where so many rows do. */
export function pageReach(total: number, size: number, reached = resultWindow): { pages: number; last: number } {
  const pages = Math.ceil(total / size)
  return { pages, last: Math.min(pages, Math.ceil(reached / size)) }
}

/** What was typed as a page: its digits, not beyond the last that can be asked for; nothing without a digit. */
export function typedPage(text: string, last: number): number | undefined {
  const digits = text.replaceAll(/\D/g, '')
  return digits === '' ? undefined : Math.min(Math.max(1, Number(digits)), Math.max(1, last))
}
