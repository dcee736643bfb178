import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Counts, run } from '../steps.ts'
import type { Failure, FileResult, Report } from './report.ts'

/** Words for vitest, of which some may be files, and variables of its environment. */
type Wanted = { projects: readonly string[]; words?: readonly string[]; environment?: NodeJS.ProcessEnv }

/** Runs vitest with these words; undefined when it wrote no report. */
export type RunVitest = (words: readonly string[], environment?: NodeJS.ProcessEnv) => Promise<Report | undefined>

/** More failed files than this are a fault of the code, and aren't run again. */
const maxFlakyFiles = 10

/**
 * Runs tests and adds their numbers. Files that failed run once more at the end, each in a process of its own with no other at the
 * same time: tests that pass then are listed as flaky and don't fail the run. A run without a passed test fails.
 */
export async function runTests(
  { projects, words = [], environment }: Wanted,
  counts: Counts,
  runVitest: RunVitest = vitest,
): Promise<boolean> {
  const chosen = projects.flatMap((project) => ['--project', project])
  const first = await runVitest([...chosen, ...words], environment)
  const failed = first?.files.filter(hasFailed) ?? []
  const paths = [...new Set(failed.map(({ file }) => file))]
  const isFewFiles = paths.length > 0 && paths.length <= maxFlakyFiles
  if (isFewFiles) console.log(`\nRunning again, one after another: ${paths.join(' ')}`)
  const again = isFewFiles
    ? await runVitest([...chosen, ...paths, '--isolate', '--no-file-parallelism'], environment)
    : undefined
  const files = first?.files.map((result) => again?.files.find((other) => isSameFile(other, result)) ?? result) ?? []
  const errors = [...(first?.errors ?? ['vitest wrote no report']), ...(again?.errors ?? [])]
  const failures = [...files.flatMap(failureLines), ...errors.map((error) => failureLine('vitest', { message: error }))]
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  counts.passed += passed
  counts.failed += files.reduce((sum, { failures }) => sum + failures.filter(({ test }) => test).length, 0)
  counts.lines.push(...flakyLines(failed, files), ...failures)
  return failures.length === 0 && passed > 0
}

async function vitest(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Report | undefined> {
  const path = join(tmpdir(), `dataintell-report-${process.pid}.json`)
  await run('vitest', ['run', ...words], { ...environment, TEST_REPORT: path })
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  } finally {
    rmSync(path, { force: true })
  }
}

const hasFailed = ({ failures }: FileResult): boolean => failures.length > 0

const isSameFile = (a: FileResult, b: FileResult): boolean => a.file === b.file && a.project === b.project

const nameOf = (file: string, test: string | undefined): string => (test === undefined ? file : `${file} > ${test}`)

/** What failed at first in files that passed at last. */
function flakyLines(failed: readonly FileResult[], files: readonly FileResult[]): string[] {
  const passedAtLast = failed.filter((result) => files.some((last) => isSameFile(last, result) && !hasFailed(last)))
  const names = passedAtLast.flatMap(({ file, failures }) => failures.map(({ test }) => nameOf(file, test)))
  return names.map((name) => `FLAKY ${name}`)
}

const failureLines = ({ file, failures }: FileResult): string[] => failures.map((failure) => failureLine(file, failure))

/** Lines of an error that are shown: the output of a program that ended is often among them. */
const shownLines = 8

/** The failed test, and the first lines of its error without colors and stack. */
function failureLine(file: string, { test, message }: Failure): string {
  const lines = stripVTControlCharacters(message).split('\n')
  const stack = lines.findIndex((line) => /^\s*at /.test(line))
  const shown = lines.slice(0, Math.min(stack < 1 ? lines.length : stack, shownLines))
  return `FAILED ${nameOf(file, test)}: ${shown.join('\n  ')}`
}
