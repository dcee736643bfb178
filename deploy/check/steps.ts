import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { withCompileCache } from '../local/compileCache.ts'

/** Something that is checked; true when nothing wrong was found. `counts` are tests that it ran, `failures` a line for each that failed. */
export type Step = { name: string; work: (counts: Counts) => Promise<boolean> }
type Counts = { passed: number; failed: number; failures: string[] }

/** Runs the steps one after another, prints how each went and at the end each failed test, and ends the process with 1 if one failed. */
export async function runSteps(steps: readonly Step[]): Promise<never> {
  const counts: Counts = { passed: 0, failed: 0, failures: [] }
  const began = Date.now()
  for (const { name, work } of steps) {
    const started = Date.now()
    const isGood = await work(counts).catch((error: unknown) => (console.error(error), false))
    console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(started)} s)`)
    counts[isGood ? 'passed' : 'failed']++
  }
  for (const failure of counts.failures) console.log(failure)
  console.log(`All of it took ${secondsSince(began)} s`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

const secondsSince = (started: number) => ((Date.now() - started) / 1_000).toFixed(1)

/** Runs a program of the dependencies; true when it found nothing wrong. */
export function run(program: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const env = withCompileCache({ ...process.env, ...environment })
    const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'], env })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** Runs the tests of these projects and adds their numbers; a run that counted no test has failed. */
export async function runTests(
  projects: readonly string[],
  words: readonly string[],
  counts: Counts,
  environment: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const report = join(tmpdir(), `dataintell-report-${process.pid}.json`)
  const chosen = projects.flatMap((project) => ['--project', project])
  const isGood = await run('vitest', ['run', ...chosen, ...words], { TEST_REPORT: report, ...environment })
  const counted = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(report, { force: true })
  counts.passed += counted.numPassedTests
  counts.failed += counted.numFailedTests
  counts.failures.push(...failuresOf(counted))
  return isGood && counted.numPassedTests > 0
}

/** Of vitest's report, in the format of Jest. */
type Report = { numPassedTests: number; numFailedTests: number; testResults: readonly FileResult[] }
type FileResult = { name: string; status: string; message: string; assertionResults: readonly TestResult[] }
type TestResult = { fullName: string; status: string; failureMessages: readonly string[] }

/** For each test that failed, and for each file that failed as a whole: where it stands, and the first lines of its error. */
export function failuresOf({ testResults }: Pick<Report, 'testResults'>): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [failureText(name, '', message)]
    return failed.map(({ fullName, failureMessages }) => failureText(name, ` > ${fullName}`, failureMessages[0] ?? ''))
  })
}

/** Lines of an error that are shown: what a program printed before it ended is often among them. */
const shownLines = 8

function failureText(file: string, test: string, message: string): string {
  const lines = stripVTControlCharacters(message).split('\n')
  const stack = lines.findIndex((line) => /^\s*at /.test(line))
  const shown = lines.slice(0, Math.min(stack < 1 ? lines.length : stack, shownLines))
  return `FAILED ${relative(process.cwd(), file)}${test}: ${shown.join('\n  ')}`
}
