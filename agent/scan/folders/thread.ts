import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../systems/system.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'

/** Handlers for the messages of a thread, by type. */
export type MessageHandlers = { [T in FromThread['type']]: (message: Extract<FromThread, { type: T }>) => void }
export type Thread = { send(message: ToThread): void; end(): Promise<void> }

const program = new URL('walker.ts', import.meta.url)
/** Time for a thread to end before it is abandoned, for a mount that hangs blocks it. */
const endTimeoutMs = 1_000
/** Megabytes of young objects: small, for what a walk makes dies at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

let leftAlone = 0
/** Threads that did not end when they should. The process cannot exit in the ordinary way while there are any. */
export const threadsLeftAlone = () => leftAlone

/** Starts a thread that walks folders; one that breaks is reported as failed. */
export function startThread(start: ThreadStart, handlers: MessageHandlers): Thread {
  const worker = new Worker(program, { workerData: start, resourceLimits })
  const exited = exitOf(worker)
  const hear = (message: FromThread) => handle(handlers, message)
  worker.on('message', hear)
  worker.on('error', (error) =>
    handlers.failed({ type: 'failed', reason: `A scan thread failed: ${messageOf(error)}` }),
  )
  return {
    send: (message) => worker.postMessage(message),
    // The report that a mount is held comes when its scan is long over.
    end: () => endThread(worker.off('message', hear), exited),
  }
}

export const exitOf = (worker: Worker): Promise<void> => new Promise((resolve) => worker.once('exit', () => resolve()))

/** Requests the end of a thread. Never by force: a thread that is terminated while it is in native code can take the whole process with it. */
export async function endThread(worker: Worker, exited: Promise<void>): Promise<void> {
  leftAlone++
  const ended = exited.then(() => void leftAlone--)
  worker.postMessage({ type: 'end' } satisfies ToThread)
  await Promise.race([ended, wait(endTimeoutMs, undefined, { ref: false })])
}

function handle<T extends FromThread['type']>(
  handlers: MessageHandlers,
  message: Extract<FromThread, { type: T }>,
): void {
  const handler: (message: Extract<FromThread, { type: T }>) => void = handlers[message.type as T]
  handler(message)
}
