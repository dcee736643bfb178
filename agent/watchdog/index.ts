import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Suspected, WatchdogStart } from './messages.ts'

const program = new URL('thread.ts', import.meta.url)
/** Looks without a beat in between until the main thread counts as hung, and milliseconds between looks. */
const looksUntilHung = 30
const lookEveryMs = 1_000

const Hung = z.array(z.tuple([z.number(), z.number()]))

/** Tasks by how they went before: the agent hung while they ran. */
export type Suspects = {
  /** Number of times that the agent hung while the task ran. */
  hangs(taskId: number): number
  started(taskId: number): void
  /** The task has ended or was handed back. Only one that ended is no suspect any more. */
  stopped(taskId: number, hasEnded: boolean): void
}

/**
 * Watches the main thread: one that doesn't respond for 30 s ends the process, with its running tasks recorded in the
 * agent's folder as suspects for its next start.
 */
export function startWatchdog(state: string, limits = { looksUntilHung, lookEveryMs }): Suspects {
  const file = join(state, 'hung.json')
  const hangs = readHung(file)
  const running = new Set<number>()
  const beats = new SharedArrayBuffer(4)
  const counted = new Int32Array(beats)
  setInterval(() => Atomics.add(counted, 0, 1), limits.lookEveryMs / 2).unref()
  const worker = new Worker(program, { workerData: { beats, file, ...limits } satisfies WatchdogStart })
  worker.on('error', () => {})
  worker.unref()
  const hangsOf = (taskId: number) => hangs.get(taskId) ?? 0
  const tell = () => {
    const ofRunning = [...running].map((id): [number, number] => [id, hangsOf(id) + 1])
    worker.postMessage([...new Map([...hangs, ...ofRunning])] satisfies Suspected)
  }
  return {
    hangs: hangsOf,
    started(taskId) {
      running.add(taskId)
      tell()
    },
    stopped(taskId, hasEnded) {
      running.delete(taskId)
      if (hasEnded && hangs.delete(taskId)) writeHung(file, hangs)
      tell()
    },
  }
}

function readHung(file: string): Map<number, number> {
  try {
    return new Map(Hung.parse(JSON.parse(readFileSync(file, 'utf8'))))
  } catch {
    return new Map()
  }
}

/** A file that can't be written costs one more try of a task, and no more. */
function writeHung(file: string, hangs: ReadonlyMap<number, number>): void {
  try {
    if (hangs.size === 0) rmSync(file, { force: true })
    else writeFileSync(file, JSON.stringify([...hangs]), { mode: 0o600 })
  } catch {}
}
