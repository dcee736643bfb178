/** Widths of letters in ems, rounded up; https://www.unicode.org/reports/tr11/ lists the wide ones. */
const [wide, capital, usual] = [1, 0.8, 0.62]
const isWide = /[ᄀ-ᅟ⺀-꓏가-힣豈-﫿︰-﹏＀-｠￠-￦\u{20000}-\u{3fffd}WMm@%]/u
const isCapital = /\p{Lu}/u

const widthOf = (letter: string): number => (isWide.test(letter) ? wide : isCapital.test(letter) ? capital : usual)

/**
 * Text whose words fit a width in ems; longer words continue on the next line. The library either breaks such a word
 * with a hyphen, or leaves it too wide; in a path, a hyphen would be read as part of it.
 */
export function breakLong(text: string, width: number): string {
  let used = 0
  let result = ''
  for (const letter of text) {
    if (/\s/.test(letter)) used = 0
    else if (used > 0 && used + widthOf(letter) > width) {
      result += '\n'
      used = widthOf(letter)
    } else used += widthOf(letter)
    result += letter
  }
  return result
}
