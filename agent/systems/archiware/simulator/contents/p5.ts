import { refused } from '#agent/simulator/answers.ts'
import type { Clock } from '#agent/simulator/clock.ts'
import type { ContentFolder } from '#agent/simulator/options.ts'
import type { Behavior } from '../behavior.ts'
import { newJobs } from '../jobs/jobs.ts'
import { type ArchiveIndex, type IndexOptions, newIndex } from './archiveIndex.ts'
import { type Client, firstResources, type Plan } from './resources.ts'

/** All that a simulated server knows. */
export type P5 = ReturnType<typeof newP5>

/** A server with the index `Default-Archive`. `tape` has the content of archived files. */
export function newP5(behavior: Behavior, clock: Clock, tape: ContentFolder) {
  const indexes = new Map<string, ArchiveIndex>()
  const addIndex = (name: string, options?: IndexOptions): ArchiveIndex => {
    const index = newIndex(name, () => Math.floor(clock.now() / 1_000), options)
    indexes.set(name, index)
    return index
  }
  addIndex('Default-Archive')
  return { behavior, clock, indexes, addIndex, ...firstResources(), jobs: newJobs(behavior, clock), tape }
}

/** Index of a call. Throws the answer for an unknown one. */
export const indexOf = ({ indexes, behavior }: P5, name: string): ArchiveIndex =>
  indexes.get(name) ?? unknown(behavior, 'index', name)

export const planOf = ({ plans, behavior }: P5, id: string): Plan => plans.get(id) ?? unknown(behavior, 'plan', id)

/** Client of a call's header `client`, which has to be there and online. */
export function reachableClient({ clients }: P5, name: string | undefined): Client {
  if (name === undefined) throw refused(500, 'Missing parameter: client')
  const client = clients.get(name)
  if (!client) throw refused(500, `Unknown client "${name}"`)
  if (!client.isOnline) throw refused(500, `Client "${name}" does not respond`)
  return client
}

/** Line of a report about a volume that a job needs and that is offline. */
export function offlineVolume({ volumes }: P5, needed: Iterable<string>): string | undefined {
  const offline = [...needed].map((id) => volumes.get(id)).find((volume) => volume && !volume.isOnline)
  return offline && `Waiting for volume ${offline.id} (${offline.label}): not online, please insert it`
}

function unknown({ unknownStatus }: Behavior, kind: string, name: string): never {
  throw refused(unknownStatus, unknownStatus === 404 ? {} : `Unknown ${kind} "${name}"`)
}
