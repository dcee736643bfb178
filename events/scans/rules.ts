/**
 * The rules by which a storage leaves paths out, or indexes folders only. A rule is a path from the storage's root, with or without the
 * first '/'; `*` and `?` stand for characters within a name, a name `**` for any number of folders. A match includes everything below it.
 * Agents and the server read rules by this one function.
 */
const pathRulePattern = (rule: string): string | undefined => {
  const names = rule.split('/').filter((name) => name !== '')
  if (names.length === 0) return undefined
  const last = names.length - 1
  const pieces = names.map((name, i) => {
    if (name === '**') return i === last ? '[^/]' : '(?:[^/]+/)*'
    return i === last ? `${inName(name)}(?:/|$)` : `${inName(name)}/`
  })
  return `^/${pieces.join('')}`
}

/** A regular expression, in the syntax that JavaScript and RE2 share, for paths such as '/a/b'; none for no rules. */
export function pathRulesPattern(rules: readonly string[]): string | undefined {
  const patterns = rules.flatMap((rule) => pathRulePattern(rule) ?? [])
  return patterns.length === 0 ? undefined : patterns.join('|')
}

/** Returns a function that is true for paths such as '/a/b' that match one of the rules. */
export function pathRules(rules: readonly string[]): (path: string) => boolean {
  const pattern = pathRulesPattern(rules)
  if (pattern === undefined) return () => false
  const expression = new RegExp(pattern, 'u')
  return (path) => expression.test(path)
}

const inName = (name: string): string =>
  name
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '[^/]*')
    .replaceAll('?', '[^/]')
