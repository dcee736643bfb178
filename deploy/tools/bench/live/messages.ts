import type { ChildProcess } from 'node:child_process'
import { on } from 'node:events'
import type { Stores } from '#server/serve.ts'

/** Load of the bench: events per second, number of jobs, and number of sockets that follow them. */
export type Load = { jobs: number; sockets: number; rate: number; seconds: number }

/** Bytes: resident memory of the process, and its heap after a garbage collection. */
export type Memory = { rss: number; heap: number }

/** Messages between the bench and the server's process. */
export type ToServer = { type: 'serve'; stores: Stores } | { type: 'append'; load: Load } | { type: 'stop' }
export type FromServer =
  | { type: 'ready'; address: string; cookie: string }
  | { type: 'memory'; after: number; memory: Memory }
  /**
   * Commit times by position in milliseconds, the last version of each job's stream, the duration in seconds, and the
   * number of cores used.
   */
  | {
      type: 'appended'
      committed: [position: number, at: number][]
      versions: [jobId: number, version: number][]
      seconds: number
      cpu: number
    }

/** Messages between the bench and the process with the sockets, which it spreads over servers and sessions. */
export type ToSockets =
  | { type: 'open'; addresses: string[]; cookies: string[]; load: Load }
  | { type: 'report'; committed: [number, number][]; versions: [number, number][] }
export type FromSockets = { type: 'opened' } | ({ type: 'report' } & Report)

/** Milliseconds from commit to frame. `lost` and `doubled` count events over all sockets. */
export type Report = {
  frames: number
  events: number
  lost: number
  doubled: number
  states: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** Milliseconds on a clock that all processes of a machine share. */
export const now = (): number => performance.timeOrigin + performance.now()

/** The messages of a process until it ends. */
export async function* messagesOf<T>(child: ChildProcess): AsyncGenerator<T> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) yield message as T
}

/** Prints the times from commit to frame, and events that were lost or repeated. `rate` is in events per second. */
export function printReport(found: Report, rate: number, { sockets }: Load): void {
  const [p50, p95, p99, max] = [found.p50, found.p95, found.p99, found.max].map((time) => time.toFixed(1))
  console.log(`appended ${rate.toFixed(0)} events per second; received ${found.events} in ${found.frames} frames`)
  console.log(`from commit to frame: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms`)
  console.log(`lost ${found.lost}, repeated ${found.doubled}; ${found.states} states for ${sockets} sockets`)
}
