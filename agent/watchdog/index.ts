import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Suspected, WatchdogStart } from './messages.ts'

const program = new URL('thread.ts', import.meta.url)
/** Looks without a beat in between until the main thread counts as hung, and milliseconds between looks. */
const looksUntilHung = 30
const lookEveryMs = 1_000

/** Milliseconds for which a request is refused during which the agent hung. */
const refuseMs = 60 * 60_000

const Tasks = z.array(z.tuple([z.number(), z.number()]))
const Hung = z.object({ tasks: Tasks, requests: z.array(z.tuple([z.string(), z.number()])) })
type Hung = z.infer<typeof Hung>

/** Tasks, and requests of the server, by how they went before: the agent hung while they ran. */
export type Suspects = {
  /** Number of times that the agent hung while the task ran. */
  hangs(taskId: number): number
  started(taskId: number): void
  /** The task has ended or was handed back. Only one that ended is no suspect any more. */
  stopped(taskId: number, hasEnded: boolean): void
  /** Records that a request is open; the returned function, that it was answered. Throws `RequestRefused`. */
  opened(request: string): () => void
}

/** A request that was open when the agent hung, less than an hour ago. The message is for users. */
export class RequestRefused extends Error {}

/**
 * Watches the main thread: one that doesn't respond for 30 s ends the process, with its open requests recorded in the agent's folder as
 * suspects for its next start, or its running tasks if no request was open.
 */
export function startWatchdog(state: string, limits = { looksUntilHung, lookEveryMs }): Suspects {
  const file = join(state, 'hung.json')
  const read = readHung(file)
  const hangs = new Map(read.tasks)
  const hungRequests = new Map(read.requests)
  const running = new Set<number>()
  const open = new Map<object, string>()
  const beats = new SharedArrayBuffer(4)
  const counted = new Int32Array(beats)
  setInterval(() => Atomics.add(counted, 0, 1), limits.lookEveryMs / 2).unref()
  const worker = new Worker(program, { workerData: { beats, file, ...limits } satisfies WatchdogStart })
  worker.on('error', () => {})
  worker.unref()
  const hangsOf = (taskId: number) => hangs.get(taskId) ?? 0
  const tell = () => {
    const blamed = open.size > 0 ? [] : [...running].map((id): [number, number] => [id, hangsOf(id) + 1])
    const ofOpen = [...open.values()].map((key): [string, number] => [key, Date.now()])
    const requests = [...new Map([...hungRequests, ...ofOpen])]
    worker.postMessage({ tasks: [...new Map([...hangs, ...blamed])], requests } satisfies Suspected)
  }
  const write = () => writeHung(file, { tasks: [...hangs], requests: [...hungRequests] })
  return {
    hangs: hangsOf,
    started(taskId) {
      running.add(taskId)
      tell()
    },
    stopped(taskId, hasEnded) {
      running.delete(taskId)
      if (hasEnded && hangs.delete(taskId)) write()
      tell()
    },
    opened(request) {
      const key = createHash('sha256').update(request).digest('base64url')
      const until = (hungRequests.get(key) ?? -Infinity) + refuseMs
      if (Date.now() < until) throw new RequestRefused(refusalUntil(new Date(until)))
      const opening = {}
      open.set(opening, key)
      tell()
      return () => {
        open.delete(opening)
        if (hungRequests.delete(key)) write()
        tell()
      }
    },
  }
}

const refusalUntil = (until: Date): string =>
  `The agent stopped responding while it worked on this request, and refuses it until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC. Check the system that the request is about, or change its settings`

function readHung(file: string): Hung {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    // Earlier agents recorded only tasks.
    return Array.isArray(read) ? { tasks: Tasks.parse(read), requests: [] } : Hung.parse(read)
  } catch {
    return { tasks: [], requests: [] }
  }
}

/** A file that can't be written costs one more try of a task, and no more. */
function writeHung(file: string, hung: Hung): void {
  try {
    if (hung.tasks.length + hung.requests.length === 0) rmSync(file, { force: true })
    else writeFileSync(file, JSON.stringify(hung), { mode: 0o600 })
  } catch {}
}
