import type { Stores } from '#server/serve.ts'

/** What is measured: so many events a second on so many jobs, each watched by so many sockets. */
export type Load = { jobs: number; sockets: number; rate: number; seconds: number }

/** Bytes: the whole process, and its heap after everything that nobody needs was removed. */
export type Memory = { rss: number; heap: number }

/** What the bench asks of the server's process, and what it answers. */
export type ToServer = { type: 'serve'; stores: Stores } | { type: 'append'; load: Load } | { type: 'stop' }
export type FromServer =
  | { type: 'ready'; address: string; cookie: string }
  | { type: 'memory'; after: number; memory: Memory }
  /** When each position was committed, in milliseconds, the last version of each job's stream; seconds, and cores used. */
  | {
      type: 'appended'
      committed: [position: number, at: number][]
      versions: [jobId: number, version: number][]
      seconds: number
      cpu: number
    }

/** What the bench asks of the process that holds the sockets, and what it answers. */
export type ToSockets =
  | { type: 'open'; address: string; cookie: string; load: Load }
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

/** The same clock in all processes of a machine, in milliseconds. */
export const now = (): number => performance.timeOrigin + performance.now()
