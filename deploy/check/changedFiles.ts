import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildClient } from '../local/buildClient.ts'
import { installTestTools } from '../setup/testTools.ts'
import { cruiseImports, type ImportGraph } from './imports.ts'
import { nearestTests } from './nearestTests.ts'
import type { Counts, Step } from './steps.ts'
import { runTests } from './tests/runTests.ts'
import { readTestTimes } from './testTimes.ts'

/** Milliseconds of the tests nearest to a change, by their last known times. */
const budgetMs = 50_000

/** The check of the direction of imports, and then the tests nearest to changed files, which it finds by imports. */
export function nearestTestsOf(changed: readonly string[]): { imports: Step['work']; nearest: Step } {
  let graph: ImportGraph = new Map()
  return {
    async imports() {
      const cruised = await cruiseImports()
      graph = cruised.graph
      return cruised.isGood
    },
    nearest: { name: 'nearest tests', work: (counts) => runNearestTests(graph, changed, counts) },
  }
}

async function runNearestTests(graph: ImportGraph, changed: readonly string[], counts: Counts): Promise<boolean> {
  const { chosen, left } = nearestTests(graph, changed, readTestTimes(), budgetMs)
  if (left.length > 0) console.log(`${left.length} more related test files only run in npm test`)
  if (chosen.length === 0) return true
  const usesBrowser = chosen.some((file) => file.includes('.browser.'))
  if (usesBrowser) await buildClient(console.log)
  if (!installTestTools(usesBrowser ? ['all', 'browser'] : ['all'])) return false
  const projects = ['all', 'component', 'browser']
  return runTests({ projects, args: chosen, environment: { LOOK: 'all' } }, counts)
}

/** Existing files that differ from a commit, in commits or in the working tree. Without a commit, from where the branch left `main`. */
export function changedFiles(since = branchPoint() ?? previousCommit()): string[] {
  const differing = git('diff', '--name-only', '--diff-filter=d', since)
  if (differing === undefined) throw new Error(`${since} is not a commit of this checkout`)
  const added = git('ls-files', '--others', '--exclude-standard') ?? ''
  return `${differing}\n${added}`.split('\n').filter((file) => file !== '' && existsSync(file))
}

/** Files of work in progress: what this branch or working tree changes; none on `main` as it was committed. */
export function filesInProgress(): string[] {
  const since = branchPoint()
  return since === undefined ? [] : changedFiles(since)
}

/** The commit where the branch left `main`; undefined on `main` itself, unless its working tree differs. */
function branchPoint(): string | undefined {
  const main = ['main', 'origin/main'].find((name) => git('rev-parse', '--verify', '--quiet', name) !== undefined)
  const point = main && git('merge-base', 'HEAD', main)
  return point !== git('rev-parse', 'HEAD') || git('status', '--porcelain') !== '' ? point : undefined
}

const previousCommit = (): string => git('rev-parse', '--verify', '--quiet', 'HEAD~1') ?? 'HEAD'

/** Output of git; undefined if it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
