/** Sizes of large answers in bytes. */
export const sizes = [1e5, 1e5, 1e5, 1e6, 1e6, 1e6, 4e6, 4e6, 15e6, 30e6, 60e6]

/** JSON of a list that has only this item. */
export const listOfWrong = (item: string, bytes: number): string =>
  `[${`${item},`.repeat(Math.floor(bytes / (item.length + 1)))}${item}]`

/** JSON of a list with the first item of another one, again and again. */
export function copiesOf(list: unknown, bytes: number): string {
  const [item = 1] = Array.isArray(list) ? (list as unknown[]) : [list]
  return listOfWrong(JSON.stringify(item), bytes)
}

/** JSON of a list of copies with their own IDs and names. The parent of each is the one before, or itself. */
export function linkedCopies(list: unknown, count: number, isChain: boolean): string {
  const [item = {}] = Array.isArray(list) ? (list as unknown[]) : [list]
  const template = JSON.stringify(item, (name, value: unknown) => {
    if (/parent/i.test(name)) return Array.isArray(value) ? ['<parent>'] : '<parent>'
    return typeof value === 'string' && /^(id|.*_id|key|name|title|path.*)$/i.test(name) ? '<own>' : value
  })
  const whole = /"<parent>"/.test(template) ? template : template.replace('{', '{"parent_id":"<parent>",')
  return `[${Array.from({ length: count }, (_, i) =>
    whole.replaceAll('<own>', `chain-${i}`).replaceAll('<parent>', `chain-${isChain ? i - 1 : i}`),
  ).join(',')}]`
}

export const nested = (kind: 'array' | 'object', depth: number): string =>
  kind === 'array' ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** JSON of an object with as many names as fit. */
export const objectOf = (bytes: number): string =>
  `{${Array.from({ length: bytes / 12 }, (_, i) => `"n${i}":1`).join(',')}}`

/** XML with an element of its list again and again; of other text, all of it. */
export function repeatedItems(text: string, bytes: number): string {
  const [item = text] = /<(Contents|Bucket|CommonPrefixes|Version|Blob|Container)>.*?<\/\1>/s.exec(text) ?? []
  return text.replace(item, () => item.repeat(bytes / (item.length + 1)))
}
