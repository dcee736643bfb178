import { counted } from '#events/contract/counted.ts'
import type { EndedJob } from './watchJob.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { IndexSearch, Matches } from './indexSearch.ts'
import type { Jobs } from './jobs.ts'
import { done, failed, planned } from '../../../actions/outcomes.ts'
import type { Timing } from './timing.ts'

/** The end of a job in words for all of its files. `report` is that of P5. */
function reasonOf({ id, end, totalFiles }: EndedJob, requested: number, report: string[]): string {
  const job = `Archiware P5 job ${id}`
  const last = report.at(-1)
  const detail = last === undefined ? '' : `: ${last}`
  if (end === 'lost') return `Archiware P5 no longer shows the state of job ${id}${detail}`
  if (end === 'canceled') return `${job} was cancelled in P5`
  if (end === 'terminated') return `${job} was terminated: P5 was shut down`
  if (end === 'failure') return `${job} failed${detail}`
  return `${job} processed ${totalFiles ?? 'an unknown number'} of ${counted(requested, 'file')}, and not this one`
}

/** Last line of a report that names one of the paths. P5 has one line for each message. */
function lineAbout(report: string[], paths: string[]): string | undefined {
  const names = paths.map((path) => path.replaceAll('\n', ' '))
  return report.findLast((line) => names.some((name) => hasPath(line, name)))
}

/** True if a line names a path, and not only a longer one that begins or ends with it. */
function hasPath(line: string, path: string): boolean {
  const at = path === '' ? -1 : line.indexOf(path)
  if (at < 0) return false
  const [before = ' ', after = ' '] = [line[at - 1], line[at + path.length]]
  return /[\s"'`(<[=:]/.test(before) && /[\s"'`)>\],;:.]/.test(after)
}

type ArchiveContext = { jobs: Jobs; search: IndexSearch; timing: Timing; signal: AbortSignal }
/** `accepted`: handles of accepted files by place, if P5's answer is known. */
type Result = { job: EndedJob; files: PlannedFile[]; accepted: Map<string, string> | undefined }

/**
 * Outcomes of files of an archive job that has ended. Success may come with fewer files than requested, and a job that failed may have
 * archived some: then the index decides.
 */
export async function archiveOutcomes(
  context: ArchiveContext,
  { job, files, accepted }: Result,
): Promise<FileOutcome[]> {
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
  { search, timing, signal }: ArchiveContext,
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

type RestoreContext = { jobs: Jobs; relocate: string | null; signal: AbortSignal }

/**
 * Outcomes of files of a restore job that has ended. Success may come with fewer files than requested: then the protocol and the report
 * decide, as far as they name files.
 */
export async function restoreOutcomes(
  { jobs, relocate, signal }: RestoreContext,
  job: EndedJob,
  files: PlannedFile[],
): Promise<FileOutcome[]> {
  const { id, end, totalFiles = 0 } = job
  if ((end === 'success' || end === 'warning') && totalFiles >= files.length) return files.map(done)
  const results = new Map((await jobs.results(id, signal)).map((result) => [result.path, result]))
  const report = await jobs.report(id, signal)
  const reason = reasonOf(job, files.length, report)
  const judged = files.map((file) => {
    const paths = pathsOf(file, relocate)
    const result = paths.map((path) => results.get(path)).find((found) => found !== undefined)
    if (result?.isDone) return done(file)
    const text = result?.error || lineAbout(report, paths)
    if (end === 'terminated') return planned(file)
    return result || text ? failed(file, text || reason) : undefined
  })
  const hasEnded = end === 'success' || end === 'warning' || end === 'exception'
  const failures = judged.filter((outcome) => outcome?.state === 'failed').length
  const areOthersDone = hasEnded && totalFiles + failures >= files.length
  return files.map((file, i) => judged[i] ?? (areOthersDone ? done(file) : failed(file, unnamed(job, reason))))
}

const unnamed = ({ end, id, totalFiles }: EndedJob, reason: string): string =>
  end === 'success' || end === 'exception'
    ? `Archiware P5 job ${id} restored ${totalFiles === undefined ? 'an unknown number of files' : counted(totalFiles, 'file')} and does not name the missing ones. Check the target`
    : reason

/** Paths that messages of P5 may have for a file. */
function pathsOf({ place, pathInStorage }: PlannedFile, relocate: string | null): string[] {
  if (relocate === null) return [place, place.slice(1)]
  const path = `${relocate.replace(/[/\\]+$/, '')}/${pathInStorage.replace(/^\/+/, '')}`
  return [path, path.replaceAll('/', '\\'), place]
}
