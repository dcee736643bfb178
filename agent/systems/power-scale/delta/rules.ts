import { pathRules } from '#events/scans/rules.ts'

/** Rules for paths that a scan leaves out. */
export type IgnoreRules = {
  isIgnored: (path: string) => boolean
  /** True if other entries may be left out below a folder after it has moved. */
  mayChangeBelow: (from: string, to: string) => boolean
}

export function ignoreRules(rules: readonly string[]): IgnoreRules {
  const isIgnored = pathRules(rules)
  const names = rules.map((rule) => rule.split('/').filter((name) => name !== '')).filter((each) => !isAnywhere(each))
  const matchesBelow = (path: string) => names.some((each) => mayMatchBelow(each, path.split('/').slice(1)))
  return { isIgnored, mayChangeBelow: (from, to) => matchesBelow(from) || matchesBelow(to) }
}

/** One name in any folder, such as two stars, a slash and 'tmp', matches the same entries of a folder wherever that is. */
const isAnywhere = (rule: string[]): boolean => rule.length === 2 && rule[0] === '**' && rule[1] !== '**'

/** True if a rule may match an entry below a path. */
function mayMatchBelow(rule: string[], path: string[]): boolean {
  for (const [i, name] of path.entries()) {
    const pattern = rule[i]
    if (pattern === undefined) return false
    if (pattern === '**') return true
    if (!pathRules([`/${pattern}`])(`/${name}`)) return false
  }
  return rule.length > path.length
}
