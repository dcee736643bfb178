import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withCompileCache } from './compileCache.ts'
import { watchSignsOfLife } from './signsOfLife.ts'
import { ignoreClosedTerminal, restartFlag, stopSignals, withoutOptions } from './terminal.ts'

/**
 * `npm start [-- FOLDER] [--adopt]`: runs the product, and restarts it whenever it ends unexpectedly, or does not respond for a minute.
 * Nothing is lost: the stores outlive the server, and its next start adopts them.
 */
const program = join(import.meta.dirname, 'start.ts')

/** Exit code of a start that can't succeed, such as with invalid settings. It isn't retried. */
const couldNotStart = 2
/** Delays double while it keeps ending, and are reset once it ran for `steadyAfterMs`. */
const minDelayMs = 1_000
const maxDelayMs = 60_000
const steadyAfterMs = 60_000

type End = [code: number | string | null, signal: NodeJS.Signals | null]

/** Waits until a process has ended, or could not be started, as on a machine without memory. */
const endOf = (child: ChildProcess): Promise<End> =>
  once(child, 'exit').catch(({ code }: NodeJS.ErrnoException) => [code ?? 'unknown', null]) as Promise<End>

ignoreClosedTerminal()
let isWanted = true
let child: ChildProcess | undefined
for (const signal of stopSignals)
  process.on(signal, () => {
    isWanted = false
    // A terminal sends Ctrl-C to both processes. Other signals may have been sent to this one only.
    if (signal !== 'SIGINT') child?.kill('SIGTERM')
  })

const watched = watchSignsOfLife((seconds) => {
  console.error(`The server did not respond for ${seconds} s and is ended.`)
  child?.kill('SIGKILL')
})
let args = process.argv.slice(2)
for (let delayMs = minDelayMs; isWanted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
  const startedAt = Date.now()
  child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: 'inherit',
    env: { ...withCompileCache(process.env), ...watched },
  })
  const [code, signal] = await endOf(child)
  if (!isWanted || code === 0 || code === couldNotStart) process.exit(Number(code ?? 0))
  if (Date.now() - startedAt > steadyAfterMs) delayMs = minDelayMs
  console.error(
    `The server ended unexpectedly (${signal ?? `code ${code}`}). It is started again in ${delayMs / 1_000} s.`,
  )
  args = [...withoutOptions(args), restartFlag]
  await pause(delayMs)
}
