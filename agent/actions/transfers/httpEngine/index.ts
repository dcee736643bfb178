import { z } from 'zod'
import type { SodaConnection } from '#events/actions/transfers.ts'
import type { TransportOptions } from '../../../systems/http/transport.ts'
import type { TransferEngine } from '../engine.ts'
import { NotFound, Refused, TransferFailed } from '../failures.ts'
import { defaultTiming, type Timing } from '../timing.ts'
import { type CallOptions, type Client, newClient } from './client.ts'
import {
  bodyOf,
  Created,
  Folder,
  hasReference,
  Job,
  JobFile,
  ListedJob,
  nextPageOf,
  type Page,
  pageOf,
  pageSizes,
  Storage,
} from './unconfirmed.ts'

export type EngineOptions = { timing?: Timing; transport?: TransportOptions }

const anything = z.unknown()
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
  let isFilterRefused = false

  async function jobsWith(reference: string, query: Record<string, string>, signal: AbortSignal) {
    const options = { item: ListedJob, query, task: 'list the jobs', signal }
    for await (const jobs of pagesOf(client, 'jobs', options)) {
      const found = jobs.find((job) => hasReference(job, reference))
      if (found) return found.id
    }
    return undefined
  }

  return {
    async ping(signal) {
      await client.call('GET', '', { read: anything, task: 'show its version', signal })
    },
    async listStorages(signal) {
      const options = { item: Storage, task: 'list the storages', size: pageSizes.storages, signal }
      const storages = await allOf(client, 'storages', options)
      // A page may repeat a storage if others were removed meanwhile.
      const byId = new Map(storages.map((storage) => [storage.id, storage]))
      return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name))
    },
    async listFolders(storageId, path, signal) {
      const options = { item: Folder, query: { path }, task: `list the folder ${path}`, signal }
      const folders = await allOf(client, `storages/${segmentOf(storageId)}/folders`, options)
      return folders.sort((a, b) => a.name.localeCompare(b.name))
    },
    async createJob(job, signal) {
      const headers = { 'idempotency-key': job.idempotencyKey }
      const options = { read: Created, task: 'create a job', body: bodyOf(job), headers, signal }
      return (await client.call('POST', 'jobs', options)).data.id
    },
    async findJob(reference, signal) {
      if (isFilterRefused) return jobsWith(reference, {}, signal)
      try {
        return await jobsWith(reference, { 'filter[reference]': reference }, signal)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        isFilterRefused = true
        return jobsWith(reference, {}, signal)
      }
    },
    async getJob(id, signal) {
      const options = { read: Job, task: `show job ${id}`, signal }
      return client.call('GET', `jobs/${segmentOf(id)}`, options).catch(orMissing)
    },
    async listFiles(id, signal) {
      const options = { item: JobFile, task: `list the files of job ${id}`, size: pageSizes.files, signal }
      return allOf(client, `jobs/${segmentOf(id)}/files`, options).catch(orMissing)
    },
    async cancelJob(id, signal) {
      const options = { read: anything, task: `cancel job ${id}`, body: {}, signal }
      await client.call('POST', `jobs/${segmentOf(id)}/cancel`, options).catch((error: unknown) => {
        // The job is over, or the service has forgotten it.
        if (!(error instanceof Refused || error instanceof NotFound)) throw error
      })
    },
    close: client.close,
  }
}

type ListOptions<T> = Pick<CallOptions<T>, 'query' | 'task' | 'signal'> & { item: z.ZodType<T>; size?: number }

/** All items of a list. A service that refuses the number of items of a page chooses its own. */
async function allOf<T>(client: Client, path: string, { size, ...options }: ListOptions<T>): Promise<T[]> {
  if (size === undefined) return concatenated(pagesOf(client, path, options))
  const query = { ...options.query, 'page[size]': String(size) }
  return concatenated(pagesOf(client, path, { ...options, query })).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
    return allOf(client, path, options)
  })
}

async function concatenated<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

/** Items of a list, page by page. */
async function* pagesOf<T>(
  client: Client,
  path: string,
  { query = {}, item, ...options }: Omit<ListOptions<T>, 'size'>,
): AsyncGenerator<T[]> {
  const read = pageOf(item)
  const requested = new Set<string>()
  for (let next: Record<string, string> | undefined = query; next;) {
    const key = JSON.stringify(next)
    if (requested.has(key))
      throw new TransferFailed(`The transfer service at ${client.host} repeats a page and never ends`, key)
    requested.add(key)
    const page: Page<T> = await client.call('GET', path, { ...options, query: next, read })
    yield page.data
    next = nextPageOf(page, query)
  }
}

function orMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
