import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withCompileCache } from './compileCache.ts'

/**
 * `npm start [-- FOLDER]`: runs the product, and starts it again whenever it ends without having been told to. Nothing is lost
 * by that: the stores outlive the server, and its next start adopts them.
 */
const program = join(import.meta.dirname, 'start.ts')

/** The code with which a start ends that could not succeed, such as one with wrong settings: another would not either. */
const couldNotStart = 2
/** Pauses grow while it ends again and again, and begin anew once it ran that long. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000
const steadyAfterMs = 60_000

let isWanted = true
let pauseMs = firstPauseMs
for (;;) {
  const startedAt = Date.now()
  const words = [...process.execArgv, program, ...process.argv.slice(2)]
  const child = spawn(process.execPath, words, { stdio: 'inherit', env: withCompileCache(process.env) })
  // A terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
  const onInterrupt = () => void (isWanted = false)
  const onTerminate = () => {
    isWanted = false
    child.kill('SIGTERM')
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (!isWanted || code === 0 || code === couldNotStart) process.exit(code ?? 0)
  process.off('SIGINT', onInterrupt)
  process.off('SIGTERM', onTerminate)
  if (Date.now() - startedAt > steadyAfterMs) pauseMs = firstPauseMs
  console.error(
    `The server ended unexpectedly (${signal ?? `code ${code}`}). It is started again in ${pauseMs / 1_000} s.`,
  )
  await pause(pauseMs)
  pauseMs = Math.min(pauseMs * 2, longestPauseMs)
}
