import { streamNames } from '#events/streams.ts'
import { WebSocket } from 'ws'
import type { ServerMessage } from '#events/live.ts'
import { livePath } from '#events/live.ts'
import { serveCalls } from '../../kit/child.ts'
import { percentile } from '../../kit/samples.ts'
import { type Appended, type Load, now, type Report } from './load.ts'

/** Frames of one socket about its job: versions and positions, with the arrival time of their frame. */
type WatchedJob = { jobId: number; begun: number; versions: number[]; positions: number[]; times: number[] }

const watched: WatchedJob[] = []
let frames = 0
let states = 0

type Opening = { addresses: string[]; cookies: string[]; load: Load }

const calls = {
  /** Opens the sockets, spread over servers and sessions. Each job is followed at every server. */
  async open({ addresses, cookies, load }: Opening): Promise<void> {
    for (let i = 0; i < load.sockets; i += 50) {
      const some = Array.from({ length: Math.min(50, load.sockets - i) }, (_, j) => i + j)
      await Promise.all(
        some.map((n) => {
          const jobId = 1 + (Math.floor(n / addresses.length) % load.jobs)
          return watch(addresses[n % addresses.length] ?? '', cookies[n % cookies.length] ?? '', jobId)
        }),
      )
    }
  },
  report,
}
export type SocketCalls = typeof calls

/** Follows a job; resolves when its state has arrived. */
function watch(address: string, cookie: string, jobId: number): Promise<void> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}${livePath}`, { headers: { cookie }, origin: address })
  const job: WatchedJob = { jobId, begun: 0, versions: [], positions: [], times: [] }
  watched.push(job)
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', topic: streamNames.job(jobId) })))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data) => {
      const at = now()
      const message = JSON.parse(String(data)) as ServerMessage
      if (message.type === 'state') {
        states += 1
        job.begun = message.state && 'version' in message.state ? message.state.version : 0
        resolve()
      }
      if (message.type === 'events' || message.type === 'resumed') note(job, message, at)
    })
  })
}

function note(job: WatchedJob, { events }: Extract<ServerMessage, { type: 'events' | 'resumed' }>, at: number) {
  frames += 1
  for (const event of events) {
    if (event.type !== 'logged') continue
    for (const { version, position } of event.events) {
      job.versions.push(version)
      job.positions.push(position)
      job.times.push(at)
    }
  }
}

function report({ committed, versions }: Appended): Report {
  const committedAt = new Map(committed)
  const lastVersions = new Map(versions)
  const times = watched.flatMap(({ positions, times }) =>
    positions.map((p, i) => (times[i] ?? 0) - (committedAt.get(p) ?? 0)),
  )
  let lost = 0
  let doubled = 0
  for (const { jobId, begun, versions } of watched) {
    const different = new Set(versions).size
    doubled += versions.length - different
    lost += (lastVersions.get(jobId) ?? 0) - begun - different
  }
  const [p50 = 0, p95 = 0, p99 = 0, max = 0] = [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share))
  return { frames, states, events: times.length, lost, doubled, p50, p95, p99, max }
}

await serveCalls(calls)
