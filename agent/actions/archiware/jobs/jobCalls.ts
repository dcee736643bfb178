import type { Client } from '../../../systems/archiware/client.ts'
import { NotFound } from '../../../systems/archiware/failures.ts'
import { idsOf, readList, readObject } from '../../../systems/archiware/lists.ts'
import { segmentOf } from '../../../systems/archiware/names.ts'
import { generalPaths, numberOf, propertyOf, textOf } from '../../../systems/archiware/unconfirmed.ts'
import { type FileResult, readProtocol } from '../unconfirmed.ts'

/** Characters of a report, from its end. */
const maxReport = 4_000_000

/** A job of P5, with P5's words for its state. `completion` is '' while it runs. */
export type Job = { status: string; completion: string; totalFiles: number | undefined; title: string }

/** Calls about jobs of a P5 server. Throws what the client throws. */
export const newJobCalls = (client: Client) => ({
  /** IDs of jobs of today and of a number of days before. The list has nothing else. */
  async list(lastDays: number, signal: AbortSignal): Promise<string[]> {
    const parameters = { filter: 'all', lastdays: String(lastDays) }
    return idsOf(await client.general('jobs', { parameters, read: readList('jobs'), signal }))
  },
  /** A job; undefined if P5 does not know it. */
  async get(id: string, signal: AbortSignal): Promise<Job | undefined> {
    const job = await client.general(`jobs/${segmentOf(id)}`, { read: readObject, signal }).catch(orMissing)
    return job && jobOf(job)
  },
  /** Lines of the report of a job. */
  async report(id: string, signal: AbortSignal): Promise<string[]> {
    const read = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
    const text = await client.general(`jobs/${segmentOf(id)}/report`, { read, signal }).catch(orMissing)
    const lines = (text ?? '')
      .slice(-maxReport)
      .split('\n')
      .map((line) => line.trim())
    return lines.filter((line) => line !== '')
  },
  /** Results of files in the protocol of a job, if it names any. */
  async results(id: string, signal: AbortSignal): Promise<FileResult[]> {
    const options = { parameters: { format: 'json' }, read: (body: unknown) => readProtocol(body), signal }
    return (await client.general(`jobs/${segmentOf(id)}/protocol`, options).catch(orMissing)) ?? []
  },
  async cancel(id: string, signal: AbortSignal): Promise<void> {
    const [path, oldPath] = generalPaths(`jobs/${segmentOf(id)}`)
    const options = { read: () => true, signal }
    const isDone = await client.call('DELETE', path, options).catch(orMissing)
    if (!isDone) await client.call('DELETE', oldPath, options)
  },
})

function jobOf(job: object): Job {
  const word = (name: string) => textOf(propertyOf(job, name)).trim().toLowerCase()
  return {
    status: word('status'),
    completion: word('completion'),
    totalFiles: numberOf(propertyOf(job, 'totalfiles')),
    title: ['description', 'label'].map((name) => textOf(propertyOf(job, name))).join('\n'),
  }
}

function orMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
