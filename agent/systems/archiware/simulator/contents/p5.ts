import type { Behavior } from '../behavior.ts'
import type { Clock } from '../clock.ts'
import { Refused } from '../answers.ts'
import { type Jobs, newJobs } from '../jobs/jobs.ts'
import { type ArchiveIndex, type IndexOptions, newIndex } from './archiveIndex.ts'
import { type Client, newClient, newPlan, newVolume, type Plan, type Volume } from './resources.ts'

/** All that a simulated server knows. */
export type P5 = {
  behavior: Behavior
  clock: Clock
  indexes: Map<string, ArchiveIndex>
  plans: Map<string, Plan>
  clients: Map<string, Client>
  volumes: Map<string, Volume>
  jobs: Jobs
  /** Folder of this machine with the content of archived files. */
  tape: () => string
}

/** A server with the index `Default-Archive`, plan 10001, client `localhost` and volume 10101. */
export function newP5(behavior: Behavior, clock: Clock, tape: () => string): P5 {
  const p5 = {
    behavior,
    clock,
    indexes: new Map<string, ArchiveIndex>(),
    plans: new Map([['10001', newPlan('10001', { name: 'Archive media' })]]),
    clients: new Map([['localhost', newClient('localhost', { description: 'This server' })]]),
    volumes: new Map([['10101', newVolume('10101', { label: 'Archive.0001', barcode: 'A00001L8' })]]),
    jobs: newJobs(behavior, clock),
    tape,
  }
  addIndex(p5, 'Default-Archive')
  return p5
}

export function addIndex({ indexes, clock }: P5, name: string, options: IndexOptions = {}): ArchiveIndex {
  const index = newIndex(name, () => Math.floor(clock.now() / 1_000), options)
  indexes.set(name, index)
  return index
}

/** Index of a call. Throws the answer for an unknown one. */
export const indexOf = ({ indexes, behavior }: P5, name: string): ArchiveIndex =>
  indexes.get(name) ?? unknown(behavior, 'index', name)

export const planOf = ({ plans, behavior }: P5, id: string): Plan => plans.get(id) ?? unknown(behavior, 'plan', id)

/** Client of a call's header `client`, which has to be there and online. */
export function reachableClient({ clients }: P5, name: string | undefined): Client {
  if (name === undefined) throw new Refused(500, 'Missing parameter: client')
  const client = clients.get(name)
  if (!client) throw new Refused(500, `Unknown client "${name}"`)
  if (!client.isOnline) throw new Refused(500, `Client "${name}" does not respond`)
  return client
}

/** Line of a report about a volume that a job needs and that is offline. */
export function offlineVolume({ volumes }: P5, needed: Iterable<string>): string | undefined {
  const offline = [...needed].map((id) => volumes.get(id)).find((volume) => volume && !volume.isOnline)
  return offline && `Waiting for volume ${offline.id} (${offline.label}): not online, please insert it`
}

function unknown({ unknownStatus }: Behavior, kind: string, name: string): never {
  throw new Refused(unknownStatus, unknownStatus === 404 ? {} : `Unknown ${kind} "${name}"`)
}
