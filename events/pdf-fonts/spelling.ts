/** Marks of a part of a line with its own direction, that of its first letter: https://www.unicode.org/reports/tr9/ */
const [isolateStart, isolateEnd] = ['\u2068', '\u2069']

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Letters from right to left, and what is between them unless it is of letters from left to right. */
const rightToLeftParts =
  /[\p{Script=Arabic}\p{Script=Hebrew}](?:[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}])*\p{M}*/gu

export const isIsolate = (letter: string): boolean => letter === isolateStart || letter === isolateEnd

/** Joins or separates the letters around it; both are part of words in Arabic and Indic scripts. */
export const isJoiner = (letter: string): boolean => letter === '\u200c' || letter === '\u200d'

/** A name within a sentence, which keeps its own direction and leaves that of the sentence alone. */
export const isolated = (name: string): string =>
  rightToLeft.test(name) ? isolateStart + withoutIsolates(name) + isolateEnd : name

export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

/** A sentence from left to right. Parts from right to left are isolated, since they would reorder the numbers of a date after them. */
export const asSentence = (line: string): string =>
  line.includes(isolateStart) ? line : line.replaceAll(rightToLeftParts, isolated)

/** A name in the direction of its first letter. */
export const asName = (line: string): string =>
  !line.includes(isolateStart) && rightToLeft.test(/\p{L}/u.exec(line)?.[0] ?? '') ? isolated(line) : asSentence(line)

/**
 * Text whose characters can all be drawn: others are written as their code points. These include marks of direction, which
 * could make an amount read backwards.
 */
export function spelled(text: string, canDraw: (codePoint: number) => boolean): string {
  let before = ''
  let result = ''
  for (const letter of text.normalize('NFC')) {
    const codePoint = letter.codePointAt(0) ?? 0
    const isDrawn = isJoiner(letter)
      ? /[\p{M}\p{Script=Arabic}]/u.test(before)
      : letter === '\n' || isIsolate(letter) || (!isUnseen.test(letter) && canDraw(codePoint))
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    result += isDrawn ? letter : before.startsWith('U+') ? ` ${name}` : name
    before = isDrawn ? letter : name
  }
  return result
}

/** Some fonts have glyphs without a shape for these. */
const isUnseen = /\p{Default_Ignorable_Code_Point}/u
