import type { Client } from '../../../systems/archiware/client.ts'
import { inParallel } from '../../../systems/inParallel.ts'
import { newJobCalls } from './jobCalls.ts'
import { pollDelays } from '../../pollDelays.ts'
import { requestsAtOnce, type Timing } from '../timing.ts'

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
