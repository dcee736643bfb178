/** Load of a benchmark: events per second, number of jobs, and number of sockets that follow them. */
export type Load = { jobs: number; sockets: number; rate: number; seconds: number }

/** Milliseconds from commit to frame. `lost` and `doubled` count events over all sockets. */
export type Report = Record<'frames' | 'events' | 'lost' | 'doubled' | 'states' | 'p50' | 'p95' | 'p99' | 'max', number>

/** Milliseconds on a clock that all processes of a machine share. */
export const now = (): number => performance.timeOrigin + performance.now()

/** Commit time of each position in milliseconds, the last version of each job's stream, and the duration in seconds. */
export type Appended = {
  committed: [position: number, at: number][]
  versions: [jobId: number, version: number][]
  seconds: number
}
