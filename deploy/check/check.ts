import { spawn } from 'node:child_process'
import { checkHandlers } from './handlers.ts'
import { checkImports } from './imports.ts'

/** Format, lint, types, import direction, handlers, then the tests: what `npm run check` and `npm test` run. */
const steps: [string, () => Promise<boolean>][] = [
  ['format', () => run('oxfmt', '--check', '.')],
  ['lint', () => run('oxlint', '--deny-warnings')],
  ['types', () => run('tsc', '--noEmit')],
  ['import direction', checkImports],
  ['handlers', checkHandlers],
  ['tests', () => run('vitest', 'run', ...process.argv.slice(2))],
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

/** Runs a program of the dependencies; true when it found nothing wrong. */
function run(program: string, ...words: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
