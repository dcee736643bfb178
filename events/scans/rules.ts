import { patternParts } from '#events/search/patterns.ts'

/**
 * The rules by which a storage leaves paths out, or indexes folders only. A rule is a path from the storage's root, with or without the
 * first '/'; `*` and `?` stand for characters within a name unless a backslash is before them, a name `**` for any number of folders. A
 * match includes everything below it. Paths and rules are compared in composed form (NFC), because people type names in this form. Agents and the server read rules by this one function.
 */
const pathRulePattern = (rule: string): string | undefined => {
  const names = rule
    .normalize('NFC')
    .split('/')
    .filter((name) => name !== '')
  if (names.length === 0) return undefined
  const last = names.length - 1
  const pieces = names.map((name, i) => {
    if (name === '**') return i === last ? '[^/]' : '(?:[^/]+/)*'
    return i === last ? `${inName(name)}(?:/|$)` : `${inName(name)}/`
  })
  return `^/${pieces.join('')}`
}

/** A regular expression, in the syntax that JavaScript and RE2 share, for composed paths such as '/a/b'; none for no rules. */
export function pathRulesPattern(rules: readonly string[]): string | undefined {
  const patterns = rules.flatMap((rule) => pathRulePattern(rule) ?? [])
  return patterns.length === 0 ? undefined : patterns.join('|')
}

/** Returns a function that is true for paths such as '/a/b' that match one of the rules. */
export function pathRules(rules: readonly string[]): (path: string) => boolean {
  const pattern = pathRulesPattern(rules)
  if (pattern === undefined) return () => false
  const expression = new RegExp(pattern, 'u')
  return (path) => expression.test(path.normalize('NFC'))
}

const inName = (name: string): string =>
  patternParts(name)
    .map(({ text, isWildcard }) => {
      if (!isWildcard) return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
      return text === '*' ? '[^/]*' : '[^/]'
    })
    .join('')
    .replaceAll(/(?:\[\^\/\]\*){2,}/g, '[^/]*')
