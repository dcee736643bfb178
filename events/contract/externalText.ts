import { z } from 'zod'

// Ranges instead of names of categories: the browsers of wall displays don't know those.

/** Control characters other than tabs and line ends. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g

const loneSurrogate = /[\ud800-\udfff]/gu

/**
 * Makes text from another system storable and readable: well formed, without control characters, and at most `length`
 * UTF-16 code units, cut at a whole character.
 */
export function cleanText(text: string, length: number): string {
  const clean = text.replace(loneSurrogate, '\ufffd').replace(control, '')
  return clean.length <= length ? clean : clean.slice(0, length).replace(loneSurrogate, '')
}

/** Text that another system wrote, such as an error message. Longer text is cut. */
export const externalText = (length: number) => z.string().transform((text) => cleanText(text, length))
