import type { Client } from '../client.ts'
import { NotFound } from '../failures.ts'
import { idsOf, readList, readObject } from '../lists.ts'
import { segmentOf } from '../names.ts'
import { type FileResult, generalPaths, numberOf, propertyOf, readProtocol, textOf } from '../unconfirmed.ts'
import { inParallel } from '../../inParallel.ts'
import { pollDelays } from '../../../actions/pollDelays.ts'
import { type Timing, requestsAtOnce } from './timing.ts'

/** Characters of a report, from its end. */
const maxReport = 4_000_000

/** A job of P5, with P5's words for its state. `completion` is '' while it runs. */
export type Job = { status: string; completion: string; totalFiles: number | undefined; title: string }

/** Calls about jobs of a P5 server. Throws what the client throws. */
const newJobCalls = (client: Client) => ({
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

/** Days of jobs to search for a reference, first those of a batch that was just sent. P5 lists today's jobs by default. */
const recentDays = 1
const allDays = 30

const finalStatuses = /^(completed|cancell?ed|terminated)$/

/** Description of a job, which is its title in P5. The reference finds it again. */
export const describe = (jobId: number, reference: string): string => `DataIntell job ${jobId} [${reference}]`

export type Jobs = ReturnType<typeof newJobs>

/** Jobs of a P5 server, which are found by the references in their descriptions. Throws what the client throws. */
export function newJobs(client: Client, timing: Timing) {
  const calls = newJobCalls(client)
  const ids = new Map<string, string>()
  // Jobs whose reference is known, or that never get one. A list has no descriptions, so each job costs a request, once.
  const read = new Set<string>()

  async function searchDays(reference: string, days: number, signal: AbortSignal): Promise<string | undefined> {
    const listed = (await calls.list(days, signal)).filter((id) => !read.has(id))
    const newestFirst = listed.sort((a, b) => Number(b) - Number(a))
    await inParallel(newestFirst, requestsAtOnce, async (id) => {
      if (ids.has(reference)) return
      const job = await calls.get(id, signal)
      if (!job) return
      const found = /\[([^\]]+)\]/.exec(job.title)?.[1]
      if (found !== undefined && !ids.has(found)) ids.set(found, id)
      if (found !== undefined || finalStatuses.test(job.status)) read.add(id)
    })
    return ids.get(reference)
  }

  /** ID of the job with a reference, of the last day only if it was sent just now. */
  async function find(reference: string, isRecent: boolean, signal: AbortSignal): Promise<string | undefined> {
    const recent = ids.get(reference) ?? (await searchDays(reference, recentDays, signal))
    return recent ?? (isRecent ? undefined : searchDays(reference, allDays, signal))
  }

  return {
    ...calls,
    find,
    /** Keeps the ID of a job that P5 answered with. */
    remember(reference: string, id: string): void {
      ids.set(reference, id)
      read.add(id)
    },
    forget: (reference: string) => void ids.delete(reference),
    /** As `find`, with time for P5 to create a job whose submission had no answer. */
    async findInTime(reference: string, signal: AbortSignal): Promise<string | undefined> {
      const until = timing.now() + timing.graceMs
      let id = await find(reference, false, signal)
      for (const delayMs of pollDelays(timing)) {
        if (id !== undefined || timing.now() >= until) return id
        await timing.wait(Math.min(delayMs, timing.graceMs), signal)
        id = await find(reference, true, signal)
      }
      return id
    },
  }
}
