import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Counts, run } from '../steps.ts'
import type { Failure, FileResult, Report } from './report.ts'

/** Arguments and environment of vitest, and the maximum processor time of a test file by project. */
type TestRunOptions = {
  projects: readonly string[]
  args?: readonly string[]
  environment?: NodeJS.ProcessEnv
  maxProcessorMs?: Readonly<Record<string, number>>
}

/** Runs vitest with these arguments. */
export type RunVitest = (args: readonly string[], environment?: NodeJS.ProcessEnv) => Promise<Report>

/** More files indicate a fault of the code and aren't run again. */
const maxFlakyFiles = 10

/**
 * Runs tests and adds their numbers. Files that failed or took too much processor time run once more at the end, each in its own
 * process without others at the same time: tests that pass then are listed as flaky and don't fail the run. A run fails without a
 * passed test, and if a file takes too much processor time both times.
 */
export async function runTests(
  { projects, args = [], environment, maxProcessorMs = {} }: TestRunOptions,
  counts: Counts,
  runVitest: RunVitest = vitest,
): Promise<boolean> {
  const chosen = projects.flatMap((project) => ['--project', project])
  const first = await runVitest([...chosen, ...args], environment)
  const failed = first.files.filter(hasFailed)
  const limitOf = ({ project }: FileResult) => maxProcessorMs[project] ?? Infinity
  const isSlow = (file: FileResult) => file.processorMs > limitOf(file)
  const again = await repeat(
    first.files.filter((file) => hasFailed(file) || isSlow(file)),
    (paths) => runVitest([...chosen, ...paths], environment),
  )
  const files = first.files.map((result) => withRepeat(result, again.files))
  const failures = [...files.flatMap(failureLines), ...errorLines([...first.errors, ...again.errors])]
  const slow = files.filter(isSlow)
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  counts.passed += passed
  counts.failed += files.flatMap(({ failures }) => failures).filter(({ test }) => test !== undefined).length
  counts.lines.push(...flakyLines(failed, files), ...failures, ...slow.map((file) => slowLine(file, limitOf(file))))
  return failures.length === 0 && slow.length === 0 && passed > 0
}

async function vitest(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Report> {
  const path = join(tmpdir(), `dataintell-report-${process.pid}.json`)
  const isGood = await run('vitest', ['run', ...args], { ...environment, TEST_REPORT: path })
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report
    const isExplained = isGood || report.errors.length > 0 || report.files.some(hasFailed)
    return isExplained ? report : { ...report, errors: ['it failed although all tests passed'] }
  } catch {
    return { files: [], errors: ['it wrote no report'] }
  } finally {
    rmSync(path, { force: true })
  }
}

/** Runs files again, one after another, unless there are many. */
async function repeat(
  chosen: readonly FileResult[],
  runFiles: (args: readonly string[]) => Promise<Report>,
): Promise<Report> {
  const paths = [...new Set(chosen.map(({ file }) => file))]
  if (paths.length === 0 || paths.length > maxFlakyFiles) return { files: [], errors: [] }
  console.log(`\nRunning again, one after another: ${paths.join(' ')}`)
  return runFiles([...paths, '--isolate', '--no-file-parallelism'])
}

/**
 * Outcome of the second run if there was one. The processor time is the lower one: failing tests wait long, and on a busy machine the
 * same work takes up to half as much again.
 */
function withRepeat(first: FileResult, again: readonly FileResult[]): FileResult {
  const second = again.find((other) => isSameFile(other, first))
  return second ? { ...second, processorMs: Math.min(first.processorMs, second.processorMs) } : first
}

const slowLine = ({ file, processorMs }: FileResult, limitMs: number): string =>
  `SLOW ${file} took ${(processorMs / 1_000).toFixed(1)} s of processor time, more than ${limitMs / 1_000} s`

const hasFailed = ({ failures }: FileResult): boolean => failures.length > 0

const isSameFile = (a: FileResult, b: FileResult): boolean => a.file === b.file && a.project === b.project

const nameOf = (file: string, test: string | undefined): string => (test === undefined ? file : `${file} > ${test}`)

/** Failures of the first run in files that passed in the second. */
function flakyLines(failed: readonly FileResult[], files: readonly FileResult[]): string[] {
  const passedAgain = failed.filter((result) => files.some((last) => isSameFile(last, result) && !hasFailed(last)))
  const names = passedAgain.flatMap(({ file, failures }) => failures.map(({ test }) => nameOf(file, test)))
  return names.map((name) => `FLAKY ${name}`)
}

const failureLines = ({ file, failures }: FileResult): string[] => failures.map((failure) => failureLine(file, failure))

/** Errors outside of tests, each once: what a test left behind may fail a hundred times. Its place tells which test. */
function errorLines(messages: readonly string[]): string[] {
  const lines = messages.map((message) => {
    const place = message.split('\n').find((line) => /^\s*at .*\.ts:/.test(line) && !line.includes('node_modules'))
    return failureLine('vitest', { message }) + (place === undefined ? '' : `\n  ${place.trim()}`)
  })
  return [...new Set(lines)]
}

/** Number of lines of an error to print: errors often contain the output of a program. */
const maxErrorLines = 8

/** The failed test, and the first lines of its error without colors and stack. */
function failureLine(file: string, { test, message }: Failure): string {
  const lines = stripVTControlCharacters(message).split('\n')
  const stack = lines.findIndex((line) => /^\s*at /.test(line))
  const shown = lines.slice(0, Math.min(stack < 1 ? lines.length : stack, maxErrorLines))
  return `FAILED ${nameOf(file, test)}: ${shown.join('\n  ')}`
}
