import { z } from 'zod'
import { maxTransferFolders, maxTransferStorages, type SodaConnection } from '#events/actions/transfers.ts'
import type { TransportOptions } from '../../http/transport.ts'
import type { TransferEngine } from '../engine.ts'
import { NotFound, Refused } from '../failures.ts'
import { defaultTiming, type Timing } from '../timing.ts'
import { type Client, newClient } from './client.ts'
import { allOf, pagesOf } from './pages.ts'
import { bodyOf, Created, Folder, hasReference, Job, JobFile, ListedJob, pageSizes, Storage } from './unconfirmed.ts'

export type EngineOptions = { timing?: Timing; transport?: TransportOptions }

const anything = z.unknown()
/** Jobs that are searched for a reference. */
const maxJobs = 100_000
const segmentOf = (text: string) => encodeURIComponent(text)

/**
 * A transfer service with our own proposal of a contract, which is not the vendor's; see `unconfirmed.ts`. An adapter for the real service
 * replaces this folder once its API is known. Throws `TransferFailed` for a URL without a server.
 */
export function openHttpEngine(
  connection: SodaConnection,
  { timing = defaultTiming, transport = {} }: EngineOptions = {},
): TransferEngine {
  const client = newClient(connection, timing, transport)
  return {
    async ping(signal) {
      await client.call('GET', '', { read: anything, task: 'show its version', signal })
    },
    ...storageCalls(client),
    ...jobCalls(client),
    findJob: newJobSearch(client),
    close: client.close,
  }
}

const storageCalls = (client: Client): Pick<TransferEngine, 'listStorages' | 'listFolders'> => ({
  async listStorages(signal) {
    const options = {
      item: Storage,
      task: 'list the storages',
      size: pageSizes.storages,
      max: maxTransferStorages,
      signal,
    }
    const storages = await allOf(client, 'storages', options)
    // A page may repeat a storage if others were removed meanwhile.
    const byId = new Map(storages.map((storage) => [storage.id, storage]))
    return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name))
  },
  async listFolders(storageId, path, signal) {
    const options = { item: Folder, query: { path }, task: `list the folder ${path}`, max: maxTransferFolders, signal }
    const folders = await allOf(client, `storages/${segmentOf(storageId)}/folders`, options)
    return folders.sort((a, b) => a.name.localeCompare(b.name))
  },
})

const jobCalls = (client: Client): Pick<TransferEngine, 'createJob' | 'getJob' | 'listFiles' | 'cancelJob'> => ({
  async createJob(job, signal) {
    const headers = { 'idempotency-key': job.idempotencyKey }
    const options = { read: Created, task: 'create a job', body: bodyOf(job), headers, signal }
    return (await client.call('POST', 'jobs', options)).data.id
  },
  async getJob(id, signal) {
    const options = { read: Job, task: `show job ${id}`, signal }
    return client.call('GET', `jobs/${segmentOf(id)}`, options).catch(orMissing)
  },
  async listFiles(id, count, signal) {
    // A file may be listed twice, such as once for each try.
    const max = 2 * count
    const options = { item: JobFile, task: `list the files of job ${id}`, size: pageSizes.files, max, signal }
    return allOf(client, `jobs/${segmentOf(id)}/files`, options).catch(orMissing)
  },
  async cancelJob(id, signal) {
    const options = { read: anything, task: `cancel job ${id}`, body: {}, signal }
    await client.call('POST', `jobs/${segmentOf(id)}/cancel`, options).catch((error: unknown) => {
      // The job is over, or the service has forgotten it.
      if (!(error instanceof Refused || error instanceof NotFound)) throw error
    })
  },
})

/** Finds jobs by their references, among all jobs if the service has no such filter, or ignores it. */
function newJobSearch(client: Client): TransferEngine['findJob'] {
  let isFilterRefused = false

  async function search(reference: string, query: Record<string, string>, signal: AbortSignal) {
    const options = { item: ListedJob, query, task: 'list the jobs', max: maxJobs, signal }
    for await (const jobs of pagesOf(client, 'jobs', options)) {
      const found = jobs.find((job) => hasReference(job, reference))
      if (found) return found.id
    }
    return undefined
  }

  return async (reference, signal) => {
    if (isFilterRefused) return search(reference, {}, signal)
    try {
      return await search(reference, { 'filter[reference]': reference }, signal)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      isFilterRefused = true
      return search(reference, {}, signal)
    }
  }
}

function orMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
