import { counted } from '#events/contract/counted.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import type { JobStatus } from '#events/jobs/states.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import type { Job } from '#events/jobs/events.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { linkTo } from './attachFiles.ts'

/** Ends of jobs, as in `Scan failed: Films`. */
const endWords: Partial<Record<JobStatus, string>> = {
  SUCCESS: 'completed',
  WARNING: 'completed with warnings',
  FAILURE: 'failed',
  SCANNER_ERROR: 'failed',
  CANCELLED: 'was cancelled',
}

/** Maximum lines in the list of failures. */
const maxLines = 50

/** The mail about a job's end. */
export async function endMessage(trx: Trx, job: Job): Promise<{ subject: string; text: string }> {
  const end = `${kindOf(job)} ${endWords[job.status] ?? job.status}`
  const subject = `${end}: ${joinNames(await namesOf(trx, job)) || `job ${job.id}`}`
  const parts = [
    `${subject}\n${jobTypeLabels[job.type]}, job ${job.id}`,
    timesOf(job),
    job.result?.reason ?? '',
    foundAtTarget(job),
    listed('Failed storages:', await failedStorages(trx, job)),
    await linkTo(trx, `/settings/jobs?id=${job.id}`),
  ]
  return { subject, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` }
}

/** Kind of a job for people: all scans are scans. */
function kindOf({ type }: Job): string {
  if (type.startsWith('SCAN_')) return 'Scan'
  return type === 'GENERATE_REPORT' ? 'Report' : jobTypeLabels[type]
}

/** Names of the scanned storages, or of the report; those that failed come first. */
async function namesOf(trx: Trx, { tasks }: Job): Promise<string[]> {
  const inOrder = tasks.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)))
  const volumes = inOrder.flatMap(({ payload }) => ('scanId' in payload ? payload.volumes : []))
  const rows = await trx
    .selectFrom('volumes')
    .select(['id', 'name'])
    .where('id', 'in', [0, ...volumes])
    .execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const report = tasks.flatMap(({ payload }) => ('runId' in payload ? [payload.runId] : []))
  const reports = await trx
    .selectFrom('reportRuns')
    .innerJoin('reportTemplates', 'reportTemplates.id', 'reportRuns.templateId')
    .select('name')
    .where('reportRuns.id', 'in', [0, ...report])
    .execute()
  return [...volumes.flatMap((id) => names.get(id) ?? []), ...reports.map(({ name }) => name)]
}

const isFailed = ({ status }: Job['tasks'][number]): boolean => status === 'FAILURE' || status === 'SCANNER_ERROR'

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
  const asExpected = counted(arrived, 'file as it should be', 'files as they should be')
  return `A scan of the target found ${asExpected}, ${count(changed)} changed, ${count(missing)} missing`
}

/** In the server's time zone, as `2026-11-21 10:00:00 UTC`. */
const moment = (at: string): string => new Date(at).toLocaleString('sv-SE', { timeZoneName: 'short' })

/** The two largest units of a duration in milliseconds, as `1 h 5 min`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 1) return 'less than 1 s'
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
