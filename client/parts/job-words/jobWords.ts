import type { JobRow } from '#events/jobs/calls.ts'
import type { JobStatus, Task } from '#events/jobs/events.ts'
import { unreadText } from '#events/jobs/results.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { counted, countText } from '#client/ui/text/count.ts'

type Storages = Pick<JobRow, 'storages' | 'storageCount'>

/** `Films`, or `Films and 2 more`; empty for jobs that scan no storage. */
export function storagesText({ storages: [first], storageCount }: Storages): string {
  if (!first) return ''
  return storageCount > 1 ? `${first.name} and ${countText(storageCount - 1)} more` : first.name
}

/** Type of a job with the name of its report or its tags, such as `Generate report: Old files`. */
export function jobTitle({ type, payload }: Pick<JobRow, 'type' | 'payload'>): string {
  const name = 'templateId' in payload ? payload.name : 'tags' in payload ? payload.tags.join(', ') : undefined
  return name ? `${jobTypeLabels[type]}: ${name}` : jobTypeLabels[type]
}

/** Title of a job in narrow columns, in which the name of its report goes first. */
export const jobName = (job: Pick<JobRow, 'type' | 'payload'>): string =>
  job.type === 'GENERATE_REPORT' && 'name' in job.payload && job.payload.name
    ? `${job.payload.name} (report)`
    : jobTitle(job)

/** Name of a job for short lists: its storages, or its type where it has none. */
export const jobSubject = (job: JobRow): string => storagesText(job) || jobTitle(job)

/** Reason of a failure, or what an open job waits for; empty without one. Several storages are named. */
export function reasonText(job: Pick<JobRow, 'status' | 'result'> & Storages): string {
  const { reason, note, failed = 0, toDo = 0, failedScanVolumeSettings: [first, ...others] = [] } = fieldsOf(job.result)
  if (first) {
    const name = job.storages.find(({ id }) => id === first.id)?.name
    const text = name && job.storageCount > 1 ? `${name}: ${first.reason}` : first.reason
    return others.length > 0 ? `${text} (and ${countText(others.length)} more)` : text
  }
  if (reason) return reason
  if (failed > 0) return `${countText(failed)} of ${counted(toDo, 'file')} failed`
  return (job.status !== 'SUCCESS' && note) || ''
}

/** Reason that a task failed or is incomplete, or its note; empty without one. */
export function taskReason({ result }: Pick<Task, 'result'>): string {
  const fields = fieldsOf(result)
  const { reason, note, failed = 0, toDo = 0, failedScanVolumeSettings = [] } = fields
  if (reason) return reason
  if (failedScanVolumeSettings.length > 0) return failedScanVolumeSettings.map(({ reason }) => reason).join('; ')
  if (failed > 0) return `${countText(failed)} of ${counted(toDo, 'file')} failed`
  return unreadText(fields) ?? note ?? ''
}

const endings: Record<JobStatus, string> = {
  NEW: 'is waiting to start',
  AVAILABLE: 'is waiting to start',
  WAITING: 'is paused',
  RUNNING: 'is running',
  SUCCESS: 'succeeded',
  WARNING: 'ended with a warning',
  SCANNER_ERROR: 'failed because its agent stopped responding or failed too often',
  FAILURE: 'failed',
  CANCELLED: 'was cancelled',
}

/** Sentence about a job: work, storages and outcome, such as `Scan of Films and 2 more failed.` */
export function outcomeText(job: JobRow): string {
  const storages = storagesText(job)
  return `${storages ? `Scan of ${storages}` : jobTitle(job)} ${endings[job.status]}.`
}
