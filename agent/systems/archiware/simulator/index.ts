import { type Behavior, defaultBehavior, type JobScript } from './behavior.ts'
import { newClock } from '#agent/simulator/clock.ts'
import type { IndexOptions } from './contents/archiveIndex.ts'
import { addIndex, newP5, type P5 } from './contents/p5.ts'
import { type Client, newClient, newPlan, newVolume, type Plan, type Volume } from './contents/resources.ts'
import { answerRequest } from './answerRequest.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { newContentFolder, type SimulatorOptions } from '#agent/simulator/options.ts'
import { simulate } from '#agent/simulator/simulate.ts'

export { changeIndexAtRandom } from './contents/changeIndexAtRandom.ts'
export { fillIndex } from './contents/fillIndex.ts'
export { latestOf, pathOf } from './contents/indexEntry.ts'
export type { ArchiveIndex } from './contents/archiveIndex.ts'

export type ArchiwareOptions = SimulatorOptions & {
  user?: string
  password?: string
  behavior?: Partial<Omit<Behavior, 'job'>> & { job?: Partial<JobScript> }
}

export type ArchiwareSimulator = Awaited<ReturnType<typeof startArchiware>>

/**
 * An Archiware P5 server on the loopback: lists, indexes, dumps, entries, archive and restore jobs. With TLS it has a second port without,
 * `plainUrl`. It begins with the index `Default-Archive`, plan 10001, client `localhost` and volume 10101.
 */
export async function startArchiware(options: ArchiwareOptions = {}) {
  const { user = 'dataintell', password = 'planted-password', tls, port = 0, onAnswer } = options
  const defaults = defaultBehavior()
  const behavior: Behavior = { ...defaults, ...options.behavior, job: { ...defaults.job, ...options.behavior?.job } }
  const clock = newClock(options.clock)
  const tape = newContentFolder('simulated-tape-')
  const p5 = newP5(behavior, clock, tape.folder)
  const { urls, ...server } = await simulate({
    hosts: { main: { port, ...(tls && { tls }) }, plain: tls && {} },
    callOf: ({ path }) => path.replace('rest/v1/', ''),
    throttled: { status: 503, body: 'Too many requests.' },
    now: clock.now,
    onAnswer,
    onClose() {
      clock.close()
      tape.remove()
    },
    answer: (request) => answerRequest(p5, { user, password }, request),
  })
  server.faults.latencyMs = (call) =>
    typeof behavior.latencyMs === 'number' ? behavior.latencyMs : behavior.latencyMs(call)
  return {
    ...server,
    url: urls.main,
    plainUrl: urls.plain ?? urls.main,
    fingerprint: fingerprintOf(tls),
    user,
    password,
    behavior,
    clock,
    ...contentsOf(p5),
    /** The server starts again: connections close, new ones fail for some time, and running jobs are terminated. */
    restart(downMs = 0) {
      p5.jobs.terminate()
      server.drop(downMs)
    },
  }
}

/** Contents of the server, which tests may change directly. */
function contentsOf(p5: P5) {
  const { indexes, plans, clients, volumes, jobs } = p5
  return {
    indexes,
    plans,
    clients,
    volumes,
    jobs,
    addIndex: (name: string, options?: IndexOptions) => addIndex(p5, name, options),
    addPlan: (id: string, values: Partial<Plan> = {}) => added(plans, id, newPlan(id, values)),
    addClient: (name: string, values: Partial<Client> = {}) => added(clients, name, newClient(name, values)),
    addVolume: (id: string, values: Partial<Volume> = {}) => added(volumes, id, newVolume(id, values)),
    /** Changes the course of the next job only. */
    scriptNextJob: (script: Partial<JobScript>) => jobs.scriptNext(script),
  }
}

function added<T>(map: Map<string, T>, id: string, value: T): T {
  map.set(id, value)
  return value
}
