import { X509Certificate } from 'node:crypto'
import { type Behavior, defaultBehavior, type JobScript } from './behavior.ts'
import { newClock } from '#agent/simulator/clock.ts'
import type { IndexOptions } from './contents/archiveIndex.ts'
import { addIndex, newP5, type P5 } from './contents/p5.ts'
import { type Client, newClient, newPlan, newVolume, type Plan, type Volume } from './contents/resources.ts'
import { newResponder, type RecordedRequest } from './respond.ts'
import { listen } from '#agent/simulator/listen.ts'
import type { SimulatorOptions } from '#agent/simulator/options.ts'
import { newContentFolder } from '#agent/simulator/contentFolder.ts'

export { changeIndexAtRandom } from './contents/changeIndexAtRandom.ts'
export { fillIndex } from './contents/fillIndex.ts'
export { latestOf, pathOf } from './contents/indexEntry.ts'
export type { ArchiveIndex } from './contents/archiveIndex.ts'

export type ArchiwareOptions = SimulatorOptions & {
  user?: string
  password?: string
  behavior?: Partial<Omit<Behavior, 'job'>> & { job?: Partial<JobScript> }
  onAnswer?: (request: RecordedRequest) => void
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
  const { listener, ...record } = newResponder(p5, { user, password, onAnswer })
  const main = await listen(listener, port, tls)
  const plain = tls ? await listen(listener, 0, undefined) : main
  return {
    url: main.url,
    plainUrl: plain.url,
    /** SHA-256 of the certificate as Node shows it, in hex with colons. */
    fingerprint: tls && new X509Certificate(tls.cert).fingerprint256,
    user,
    password,
    behavior,
    clock,
    ...record,
    ...contentsOf(p5),
    /** The server starts again: connections close, new ones fail for some time, and running jobs are terminated. */
    restart(downMs = 0) {
      p5.jobs.terminate()
      for (const listening of new Set([main, plain])) listening.drop(downMs)
    },
    async close() {
      clock.close()
      await Promise.all([...new Set([main, plain])].map((listening) => listening.close()))
      tape.remove()
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
