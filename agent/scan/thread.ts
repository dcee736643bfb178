import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FromThread, Start, ToThread } from './messages.ts'
import { messageOf } from './recordFolder.ts'

/** What to do with each thing a thread says. */
export type Hears = { [T in FromThread['type']]: (message: Extract<FromThread, { type: T }>) => void }
export type Thread = { tell(message: ToThread): void; end(): Promise<void> }

const program = new URL('walker.ts', import.meta.url)
/** How long a thread may take to end before it is left alone, for a mount that hangs holds it. Milliseconds. */
const patience = 1_000
/** Megabytes of young objects: small, for what a walk makes dies at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

let leftAlone = 0
/** Threads that did not end when told to; the process cannot exit in the ordinary way while there are any. */
export const threadsLeftAlone = () => leftAlone

/** Starts a thread that walks folders; one that breaks is heard as failed. */
export function startThread(start: Start, hears: Hears): Thread {
  const worker = new Worker(program, { workerData: start, resourceLimits })
  worker.on('message', (message: FromThread) => dispatch(hears, message))
  worker.on('error', (error) =>
    hears.failed({ type: 'failed', reason: `A scanning thread broke: ${messageOf(error)}` }),
  )
  return {
    tell: (message) => worker.postMessage(message),
    async end() {
      leftAlone++
      const ended = worker.terminate().then(() => void leftAlone--)
      await Promise.race([ended, wait(patience, undefined, { ref: false })])
    },
  }
}

function dispatch<T extends FromThread['type']>(hears: Hears, message: Extract<FromThread, { type: T }>): void {
  const hear: (message: Extract<FromThread, { type: T }>) => void = hears[message.type as T]
  hear(message)
}
