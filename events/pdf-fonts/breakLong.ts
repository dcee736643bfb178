type WidthOf = (text: string) => number

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Text whose words fit a width; longer words continue on the next line. The library either breaks such a word with a
 * hyphen, or leaves it too wide; in a path, a hyphen would be read as part of it.
 */
export const breakLong = (text: string, width: number, widthOf: WidthOf): string =>
  text.replaceAll(/\S+/g, (word) => {
    const lines: string[] = []
    for (let rest = word; rest !== ''; rest = rest.slice(lines.at(-1)?.length))
      lines.push(longestStart(rest, width, widthOf))
    return lines.join('\n')
  })

/** Text on one line; a longer one ends with an ellipsis. */
export function shorten(text: string, width: number, widthOf: WidthOf): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return widthOf(line) > width ? `${longestStart(line, width - widthOf('…'), widthOf).trimEnd()}…` : line
}

/** The letters at the start of a text that fit a width, at least one. Marks stay with their letter. */
function longestStart(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text
  let start = ''
  for (const { segment } of letters.segment(text)) {
    if (start !== '' && widthOf(start + segment) > width) break
    start += segment
  }
  return start
}
