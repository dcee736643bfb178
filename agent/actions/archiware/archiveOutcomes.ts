import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { IndexSearch, Matches } from './lookups/indexSearch.ts'
import type { Jobs } from './jobs/jobs.ts'
import { done, failed, planned } from '../outcomes.ts'
import { lineAbout, reasonOf } from './outcomes.ts'
import type { Timing } from './timing.ts'
import type { EndedJob } from './jobs/watchJob.ts'

type Context = { jobs: Jobs; search: IndexSearch; timing: Timing; signal: AbortSignal }
/** `accepted`: handles of accepted files by place, if P5's answer is known. */
type Result = { job: EndedJob; files: PlannedFile[]; accepted: Map<string, string> | undefined }

/**
 * Outcomes of files of an archive job that has ended. Success may come with fewer files than requested, and a job that failed may have
 * archived some: then the index decides.
 */
export async function archiveOutcomes(context: Context, { job, files, accepted }: Result): Promise<FileOutcome[]> {
  const isAccepted = ({ place }: PlannedFile) => accepted?.has(place) ?? true
  const isComplete = (job.totalFiles ?? -1) >= files.filter(isAccepted).length
  const isTrusted = isComplete && (job.end === 'success' || job.end === 'warning')
  const suspects = isTrusted ? files.filter((file) => !isAccepted(file)) : files
  const outcomes = new Map(files.map((file) => [file.position, done(file)]))
  if (suspects.length === 0) return [...outcomes.values()]
  const matches = await searchOften(context, suspects, { accepted, expected: isTrusted ? 0 : job.totalFiles })
  const report = await context.jobs.report(job.id, context.signal)
  const reason = reasonOf(job, files.length, report)
  for (const file of suspects) {
    const match = matches.get(file.position)
    if (match === 'same') continue
    if (job.end === 'terminated') outcomes.set(file.position, planned(file))
    else {
      const line = lineAbout(report, [file.place])
      const refusal = isAccepted(file) ? reason : `Archiware P5 did not accept it into job ${job.id}`
      outcomes.set(file.position, failed(file, line ?? (match === 'other' ? changed(job) : refusal)))
    }
  }
  return [...outcomes.values()]
}

const changed = ({ id }: EndedJob) =>
  `The index has it with another size or modified time: it changed after it was selected, or job ${id} did not archive it`

/** Searches the index again and again, since entries appear some time after their job, until it has as many as expected. */
async function searchOften(
  { search, timing, signal }: Context,
  files: PlannedFile[],
  { accepted, expected }: { accepted: Result['accepted']; expected: number | undefined },
): Promise<Matches> {
  const handleOf = ({ place }: PlannedFile) => accepted?.get(place)
  const isEnough = (matches: Matches) => {
    const count = [...matches.values()].filter((match) => match === 'same').length
    return count === files.length || (!!expected && count >= expected)
  }
  let matches: Matches = new Map()
  for (let searches = 1; searches <= timing.searches; searches++) {
    await timing.wait(timing.searchDelayMs, signal)
    matches = await search.byFolder(files, signal)
    if (isEnough(matches)) return matches
  }
  return matches.size > 0 ? matches : search.byFile(files, handleOf, signal)
}
