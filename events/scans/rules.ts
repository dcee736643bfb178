import { patternParts } from '#events/search/patterns.ts'

/**
 * Wraps a pattern so that its first match is final. Patterns for RE2, which never backtracks, need no wrapping. It's only applied where a
 * shorter match leaves every longer one possible, so both kinds of patterns match the same paths.
 */
type Commit = (pattern: string) => string

/**
 * The rules by which a storage leaves paths out, or indexes folders only. A rule is a path from the storage's root, with or without the
 * first '/'; `*` and `?` stand for characters within a name unless a backslash is before them, a name `**` for any number of folders. A
 * match includes everything below it. Paths and rules are compared in composed form (NFC), because people type names in this form. Agents and the server read rules by this one function.
 */
const pathRulePattern = (rule: string, commit: Commit): string | undefined => {
  const names = rule
    .normalize('NFC')
    .split('/')
    .filter((name) => name !== '')
  if (names.length === 0) return undefined
  const endsBelow = names.at(-1) === '**'
  const [first = '', ...others] = runsOf(names, commit)
  const end = endsBelow ? '[^/]' : ''
  const skipped = others.map((run, i) => (i === others.length - 1 ? `(?:[^/]+/)*${run}` : commit(`(?:[^/]+/)*?${run}`)))
  return `^/${first}${skipped.join('')}${end}`
}

/** Patterns of the names before, between and after each `**`; a `**` that ends the rule isn't counted. */
function runsOf(names: string[], commit: Commit): string[] {
  const last = names.length - 1
  const runs = ['']
  for (const [i, name] of names.entries()) {
    if (name !== '**') runs.push(`${runs.pop()}${inName(name, commit)}${i === last ? '(?:/|$)' : '/'}`)
    // Neighboring `**` mean the same as one.
    else if (i !== last && names[i - 1] !== '**') runs.push('')
  }
  return runs
}

/** A regular expression in the syntax of RE2, for composed paths such as '/a/b'; none for no rules. */
export function pathRulesPattern(rules: readonly string[]): string | undefined {
  const patterns = rules.flatMap((rule) => pathRulePattern(rule, (pattern) => pattern) ?? [])
  return patterns.length === 0 ? undefined : patterns.join('|')
}

/** Returns a function that is true for paths such as '/a/b' that match one of the rules. Its time is limited by path length times rule length. */
export function pathRules(rules: readonly string[]): (path: string) => boolean {
  const all = rules.flatMap((rule) => committedPattern(rule) ?? [])
  if (all.length === 0) return () => false
  const { simple = [], committed = [] } = Object.groupBy(all, ({ commits }) => (commits === 0 ? 'simple' : 'committed'))
  const joined = simple.map(({ pattern }) => pattern).join('|')
  // An expression may have 32,767 groups, so rules with groups don't share one.
  const expressions = [...(joined === '' ? [] : [joined]), ...committed.map(({ pattern }) => pattern)].map(
    (pattern) => new RegExp(pattern, 'u'),
  )
  return (path) => {
    const composed = path.normalize('NFC')
    return expressions.some((expression) => expression.test(composed))
  }
}

/** Browsers and Node backtrack into everything but a lookahead, so a lookahead finds the match, and a reference repeats it. */
function committedPattern(rule: string): { pattern: string; commits: number } | undefined {
  let commits = 0
  const commit: Commit = (pattern) => {
    const group = `c${++commits}`
    return `(?=(?<${group}>${pattern}))\\k<${group}>`
  }
  const pattern = pathRulePattern(rule, commit)
  return pattern === undefined ? undefined : { pattern, commits }
}

/** The last `*` is followed by the end of the name, so it has one match only; each earlier one takes its first. */
function inName(name: string, commit: Commit): string {
  const [first = '', ...others] = betweenStars(name)
  const last = others.pop()
  const committed = others.filter((text) => text !== '').map((text) => commit(`[^/]*?${text}`))
  return first + committed.join('') + (last === undefined ? '' : `[^/]*${last}`)
}

function betweenStars(name: string): string[] {
  const patterns = ['']
  for (const { text, isWildcard } of patternParts(name)) {
    if (isWildcard && text === '*') patterns.push('')
    else patterns.push(patterns.pop() + (isWildcard ? '[^/]' : text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)))
  }
  return patterns
}
