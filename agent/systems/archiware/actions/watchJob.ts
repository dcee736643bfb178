import type { Jobs } from './jobs.ts'
import { pollDelays } from '../../../actions/pollDelays.ts'
import type { Timing } from './timing.ts'

/** The end of a job. `lost`: P5 no longer knows it, or shows no status. `warning` may have processed all files. */
type End = 'success' | 'warning' | 'exception' | 'failure' | 'canceled' | 'terminated' | 'lost'
export type EndedJob = { id: string; end: End; totalFiles: number | undefined }

/** Polls after which the report of a job that still runs is shown. It may wait for a tape, which no status says. */
const pollsWithoutReport = 2

const unfinished = ['scheduled', 'pending', 'started', 'running', 'stopped']
/** Words of P5, which may be others. */
const completions = new Map<string, End>([
  ['success', 'success'],
  ['warning', 'warning'],
  ['exception', 'exception'],
  ['failure', 'failure'],
])
const ends = new Map<string, End>([
  ['canceled', 'canceled'],
  ['cancelled', 'canceled'],
  ['terminated', 'terminated'],
])

type Watch = { timing: Timing; signal: AbortSignal; note: (text: string) => void }

/** Waits until a job has ended, for days if a tape is missing. Throws what the client throws. */
export async function watchJob(jobs: Jobs, id: string, { timing, signal, note }: Watch): Promise<EndedJob> {
  let stoppedAt: number | undefined
  let unknownPolls = 0
  let polls = 0
  for (const delayMs of pollDelays(timing)) {
    const job = await jobs.get(id, signal)
    const { status = '', completion = '', totalFiles } = job ?? {}
    const end = status === 'completed' ? completionOf(completion) : ends.get(status)
    if (end) return { id, end, totalFiles }
    stoppedAt = status === 'stopped' ? (stoppedAt ?? timing.now()) : undefined
    if (stoppedAt !== undefined && timing.now() - stoppedAt >= timing.maxStoppedMs)
      return { id, end: 'failure', totalFiles }
    unknownPolls = unfinished.includes(status) ? 0 : unknownPolls + 1
    if (unknownPolls >= timing.maxUnknownPolls) return { id, end: 'lost', totalFiles }
    if (++polls > pollsWithoutReport) note((await jobs.report(id, signal)).at(-1) ?? '')
    await timing.wait(delayMs, signal)
  }
  throw new Error('Delays never end')
}

/** A completed job has a completion at once or after a moment; an unknown word is a warning. */
const completionOf = (completion: string): End | undefined =>
  completion === '' ? undefined : (completions.get(completion) ?? 'exception')
