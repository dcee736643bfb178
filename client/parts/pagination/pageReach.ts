import { resultWindow } from '#events/entries.ts'

/** Number of pages, and the last one that can be loaded: numbered pages end at `reached` rows. */
export function pageReach(total: number, size: number, reached = resultWindow): { pages: number; last: number } {
  const pages = Math.ceil(total / size)
  return { pages, last: Math.min(pages, Math.ceil(reached / size)) }
}

/** Parses a typed page number, ignoring everything but digits, limited to `last`; undefined without digits. */
export function typedPage(text: string, last: number): number | undefined {
  const digits = text.replaceAll(/\D/g, '')
  return digits === '' ? undefined : Math.min(Math.max(1, Number(digits)), Math.max(1, last))
}
