import { spawn } from 'node:child_process'
import { withCompileCache } from '../local/compileCache.ts'
import { checkCommits } from './commits.ts'
import { checkFolders } from './folders.ts'
import { checkHandlers, checkListeners } from './sources.ts'
import { checkWords } from './words.ts'

/** A check. `work` returns true if it found no problem, and adds the tests that it ran to the counts. */
export type Step = { name: string; work: (counts: Counts) => Promise<boolean> }

/** Test counts, and lines about tests for the end of the output. */
export type Counts = { passed: number; failed: number; lines: string[] }

/** Checks of the whole checkout that take seconds. `imports` checks the direction of imports. */
export const quickSteps = (imports: Step['work']): Step[] => [
  { name: 'types', work: () => run('tsc', ['--noEmit']) },
  { name: 'import direction', work: imports },
  { name: 'unused code', work: () => run('knip', ['--no-progress']) },
  { name: 'handlers', work: checkHandlers },
  { name: 'listeners', work: checkListeners },
  { name: 'folders', work: checkFolders },
  { name: 'words', work: () => checkWords() },
  { name: 'commits', work: checkCommits },
]

/** Runs the steps in order and prints their results, then the lines about tests. Exits with 1 if a step failed. */
export async function runSteps(steps: readonly Step[]): Promise<never> {
  const counts: Counts = { passed: 0, failed: 0, lines: [] }
  const began = Date.now()
  for (const { name, work } of steps) {
    const started = Date.now()
    const isGood = await work(counts).catch((error: unknown) => (console.error(error), false))
    console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(started)} s)`)
    counts[isGood ? 'passed' : 'failed']++
  }
  for (const line of counts.lines) console.log(line)
  console.log(`Total time: ${secondsSince(began)} s`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

const secondsSince = (started: number) => ((Date.now() - started) / 1_000).toFixed(1)

/** Runs a program of the dependencies; true if it exits with 0. */
export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const env = withCompileCache({ ...process.env, ...environment })
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
