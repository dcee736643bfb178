import { fieldsOf } from '#events/jobs/taskResults.ts'
import type { JobStatus } from '#events/jobs/states.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import type { Job } from '#events/jobs/events.ts'
import { productName } from '#server/config.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { linkTo } from './attachFiles.ts'

const statusWords: Record<JobStatus, string> = {
  NEW: 'New',
  AVAILABLE: 'Available',
  WAITING: 'Waiting',
  RUNNING: 'Running',
  SUCCESS: 'Success',
  WARNING: 'Warning',
  FAILURE: 'Failure',
  SCANNER_ERROR: 'Scanner error',
  CANCELLED: 'Cancelled',
}

/** Maximum lines in the list of failures. */
const maxLines = 50

/** The mail about a job's end. */
export async function endMessage(trx: Trx, job: Job): Promise<{ subject: string; text: string }> {
  const subject = `[${productName}] ${jobTypeLabels[job.type]} ${job.id}: ${statusWords[job.status]}`
  const parts = [
    `${jobTypeLabels[job.type]} ${job.id} has ended: ${statusWords[job.status]}`,
    timesOf(job),
    job.result?.reason ?? '',
    foundAtTarget(job),
    listed('Failed storages:', await failedStorages(trx, job)),
    await linkTo(trx, `/settings/jobs?id=${job.id}`),
  ]
  return { subject, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` }
}

function timesOf({ startedAt, updatedAt, tasks }: Job): string {
  const files = tasks.reduce((sum, { result }) => sum + (fieldsOf(result).files ?? 0), 0)
  const tagged = tasks.reduce((sum, { result }) => sum + (fieldsOf(result).tagged ?? 0), 0)
  return [
    `Started: ${startedAt ? moment(startedAt) : '-'}`,
    `Ended: ${moment(updatedAt)}`,
    `Duration: ${startedAt ? duration(Date.parse(updatedAt) - Date.parse(startedAt)) : '-'}`,
    ...(files > 0 ? [`Files: ${files.toLocaleString('en-US')}`] : []),
    ...(tagged > 0 ? [`Tagged: ${tagged.toLocaleString('en-US')}`] : []),
  ].join('\n')
}

/** Files of an action that are not where they should be, as scans since its end found them; '' if all are. */
function foundAtTarget({ result }: Job): string {
  const { found } = fieldsOf(result)
  if (!found?.target) return ''
  const { arrived, changed, missing } = found.target
  const count = (files: number) => files.toLocaleString('en-US')
  return `A scan of the target found ${count(arrived)} files as they should be, ${count(changed)} changed, ${count(missing)} missing`
}

/** In the server's time zone, as `2026-11-21 10:00:00 UTC`. */
const moment = (at: string): string => new Date(at).toLocaleString('sv-SE', { timeZoneName: 'short' })

/** The two largest units of a duration in milliseconds, as `1 h 5 min`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = units.findIndex(([count]) => count > 0)
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** By their current names; a deleted storage has a number. */
async function failedStorages(trx: Trx, { result }: Job): Promise<string[]> {
  const failed = fieldsOf(result).failedScanVolumeSettings ?? []
  if (failed.length === 0) return []
  const ids = failed.map(({ id }) => id)
  const rows = await trx.selectFrom('volumes').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return failed.map(({ id, reason }) => `${names.get(id) ?? id}: ${reason}`)
}

function listed(title: string, lines: string[]): string {
  if (lines.length === 0) return ''
  const more = lines.length - maxLines
  return [
    title,
    ...lines.slice(0, maxLines).map((line) => `- ${line}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}
