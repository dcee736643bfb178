/** Browsers before 2021 have no segmenter, and get code points. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** The characters of a text as people see them: an emoji of several code points, or a letter with its accents, is one. */
export function graphemes(text: string): string[] {
  if (segmenter === undefined || isAscii(text)) return [...text]
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
