import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildClient } from '../local/buildClient.ts'
import { installTestTools } from '../setup/testTools.ts'
import { cruiseImports, type ImportGraph } from './imports.ts'
import { nearestTests } from './nearestTests.ts'
import { quickSteps, run, runSteps, type Step } from './steps.ts'
import { runTests } from './tests/runTests.ts'
import { readTestTimes } from './testTimes.ts'

/**
 * `npm run check [-- SINCE]`: checks files changed since a commit, or since the branch left `main`, in under a minute:
 * format and lint of the changed files, all types, import direction, unused code, handlers, and the nearest tests. `npm test` runs
 * everything.
 */
const budgetMs = 50_000

const changed = changedFiles(process.argv[2] ?? branchPoint())
const code = changed.filter((file) => /[.](tsx?|js|cjs)$/.test(file))
let graph: ImportGraph = new Map()

const steps: Step[] = [
  { name: 'format', work: () => run('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]) },
  ...(code.length > 0 ? [{ name: 'lint', work: () => run('oxlint', ['--deny-warnings', ...code]) }] : []),
  ...quickSteps(cruise),
  { name: 'nearest tests', work: (counts) => runNearest(counts) },
]

console.log(`${changed.length} files changed`)
if (changed.length > 0) await runSteps(steps)

async function cruise(): Promise<boolean> {
  const cruised = await cruiseImports()
  graph = cruised.graph
  return cruised.isGood
}

async function runNearest(counts: Parameters<Step['work']>[0]): Promise<boolean> {
  const { chosen, left } = nearestTests(graph, changed, readTestTimes(), budgetMs)
  if (left.length > 0) console.log(`${left.length} more related test files only run in npm test`)
  if (chosen.length === 0) return true
  const usesBrowser = chosen.some((file) => file.includes('.browser.'))
  if (usesBrowser) await buildClient(console.log)
  if (!installTestTools(usesBrowser ? ['all', 'browser'] : ['all'])) return false
  const projects = ['all', 'component', 'browser']
  return runTests({ projects, args: chosen, environment: { LOOK: 'all' } }, counts)
}

/** The commit where the branch left `main`; on `main` itself, the second newest commit. */
function branchPoint(): string {
  const main = ['main', 'origin/main'].find((name) => git('rev-parse', '--verify', '--quiet', name) !== undefined)
  const point = main && git('merge-base', 'HEAD', main)
  const isThere = point !== undefined && (point !== git('rev-parse', 'HEAD') || git('status', '--porcelain') !== '')
  return isThere ? point : (git('rev-parse', '--verify', '--quiet', 'HEAD~1') ?? 'HEAD')
}

/** Existing files that differ from a commit, in commits or in the working tree. */
function changedFiles(since: string): string[] {
  const differing = git('diff', '--name-only', '--diff-filter=d', since)
  if (differing === undefined) throw new Error(`${since} is not a commit of this checkout`)
  const added = git('ls-files', '--others', '--exclude-standard') ?? ''
  return `${differing}\n${added}`.split('\n').filter((file) => file !== '' && existsSync(file))
}

/** Output of git; undefined if it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
