import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from '../local/buildClient.ts'
import { checkHandlers } from './handlers.ts'
import { checkImports } from './imports.ts'

/** Format, lint, types, import direction, handlers, the build of the client, then the tests: what `npm run check` and `npm test` run. */
const steps: [string, () => Promise<boolean>][] = [
  ['format', () => run('oxfmt', '--check', '.')],
  ['lint', () => run('oxlint', '--deny-warnings')],
  ['types', () => run('tsc', '--noEmit')],
  ['import direction', checkImports],
  ['handlers', checkHandlers],
  // Before the tests, of which several start products at once that all serve this one.
  ['client', () => buildClient(console.log).then(() => true)],
  ['tests', runTests],
]

let passed = 0
let failed = 0
for (const [name, step] of steps) {
  const started = Date.now()
  const good = await step().catch((error: unknown) => (console.error(error), false))
  console.log(`${good ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (good) passed++
  else failed++
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Runs all tests and adds their numbers; a run that counted no test has failed. */
async function runTests(): Promise<boolean> {
  const report = join(tmpdir(), `dataintell-report-${process.pid}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const good = await run(
    'vitest',
    'run',
    '--project',
    'all',
    '--project',
    'browser',
    ...reporters,
    ...process.argv.slice(2),
  )
  const counted = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number }
  rmSync(report, { force: true })
  passed += counted.numPassedTests
  failed += counted.numFailedTests
  return good && counted.numPassedTests > 0
}

/** Runs a program of the dependencies; true when it found nothing wrong. */
function run(program: string, ...words: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
