// Ranges instead of names of categories: the browsers of wall displays don't know those.

/** Control characters other than tabs and line ends. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g
/** Spaces and control characters. */
// oxlint-disable-next-line no-control-regex
const spaces = /[\s\0-\x1f\x7f-\x9f]+/g
const loneSurrogate = /[\ud800-\udfff]/gu
// oxlint-disable-next-line no-control-regex
const loneOrNul = /[\0\ud800-\udfff]/gu

/**
 * Makes text from another system storable and readable: well formed, without control characters, and at most `length`
 * UTF-16 code units, cut at a whole character.
 */
export const cleanText = (text: string, length: number): string =>
  cut(text.replace(loneSurrogate, '\ufffd').replace(control, ''), length)

/** The same on one line, such as a message that is quoted in a sentence. */
export const cleanLine = (text: string, length: number): string => cleanText(text.replace(spaces, ' ').trim(), length)

/** The path of an entry as another system names it. Control characters are part of it, except NUL, which no store takes. */
export const cleanPath = (path: string, length: number): string => cut(path.replace(loneOrNul, '\ufffd'), length)

const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(loneSurrogate, '')
