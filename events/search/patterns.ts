/**
 * Patterns that users type: `*` is any characters, `?` exactly one. A backslash before `*`, `?`, a space or another
 * backslash makes that character literal; any other backslash is literal itself.
 */
type PatternPart = { text: string; isWildcard: boolean }

export const patternParts = (typed: string): PatternPart[] =>
  (typed.match(/\\[*?\\ ]|[*?]|\\|[^*?\\]+/g) ?? []).map((part) =>
    part === '*' || part === '?' ? { text: part, isWildcard: true } : { text: unescaped(part), isWildcard: false },
  )

const unescaped = (part: string): string => (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part)

/** True if a typed text contains `*` or `?` that are not escaped. Such a text must match a whole name. */
export const isPattern = (typed: string): boolean => patternParts(typed).some(({ isWildcard }) => isWildcard)

/** The pattern that matches a text literally. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\*?]/g, String.raw`\$&`)

/** The words of a typed text without wildcards, separated by spaces that are not escaped. A text of spaces is one word. */
export function wordsOf(typed: string): string[] {
  const words = typed.match(/(?:\\[*?\\ ]|\S)+/g) ?? [typed]
  return words.map((word) => patternParts(word).reduce((text, part) => text + part.text, ''))
}
