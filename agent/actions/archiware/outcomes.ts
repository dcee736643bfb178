import { counted } from '#events/contract/counted.ts'
import type { EndedJob } from './jobs/watchJob.ts'

/** The end of a job in words for all of its files. `report` is that of P5. */
export function reasonOf({ id, end, totalFiles }: EndedJob, requested: number, report: string[]): string {
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
export function lineAbout(report: string[], paths: string[]): string | undefined {
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
