import { counted } from '#events/contract/counted.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { Jobs } from './jobs/jobs.ts'
import { done, failed, planned } from '../outcomes.ts'
import { lineAbout, reasonOf } from './outcomes.ts'
import type { EndedJob } from './jobs/watchJob.ts'

type Context = { jobs: Jobs; relocate: string | null; signal: AbortSignal }

/**
 * Outcomes of files of a restore job that has ended. Success may come with fewer files than requested: then the protocol and the report
 * decide, as far as they name files.
 */
export async function restoreOutcomes(
  { jobs, relocate, signal }: Context,
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
