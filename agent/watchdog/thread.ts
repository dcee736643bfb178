import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Suspected, WatchdogStart } from './messages.ts'

/* Kills the process when its main thread has not moved for `looksUntilHung` looks in a row. */

const { beats, file, looksUntilHung, lookEveryMs } = workerData as WatchdogStart
const counted = new Int32Array(beats)
let suspected: Suspected | undefined
parentPort?.on('message', (received: Suspected) => (suspected = received))

let last = -1
let still = 0
setInterval(() => {
  const beat = Atomics.load(counted, 0)
  still = beat === last ? still + 1 : 0
  last = beat
  if (still >= looksUntilHung) killProcess()
}, lookEveryMs)

function killProcess(): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (suspected) writeFileSync(file, JSON.stringify(suspected), { mode: 0o600 })
    // A thread's own output goes through the main thread.
    writeSync(2, `The agent did not respond for ${(looksUntilHung * lookEveryMs) / 1_000} s and is ended\n`)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}
