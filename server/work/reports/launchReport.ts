import { isOpen } from '#events/jobs/events.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { beginJob, nextNumber, queueReport } from '#server/workers/jobs/index.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { limitsOf, showsReport } from './reportLimits.ts'
import { mayUseWebhook } from './reportWebhook.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

/**
 * Queues a run of a report over the newest snapshot and returns its job. Throws 404, and 409 while another run is open.
 */
export async function launchReport(db: Db, templateId: number, by: Caller): Promise<number> {
  return inTransaction(db, (trx) => launchIn(trx, templateId, by))
}

/** Same in the caller's transaction, for a due time if any. */
export async function launchIn(
  trx: Trx,
  templateId: number,
  by: Actor | Caller,
  dueAt: Date | null = null,
): Promise<number> {
  const row = trx.selectFrom('reportTemplates').select(['name', 'webhookUser', 'ownerId']).where('id', '=', templateId)
  const shown = 'scope' in by ? row.where(showsReport(by)) : row
  const { name, webhookUser, ownerId } = (await shown.forUpdate().executeTakeFirst()) ?? notFound('report', templateId)
  const open = await openRunOf(trx, templateId)
  if (open) conflict(`The report [${name}] is running already, as job ${open.jobId}`, 'running')
  const [jobId, taskId] = [await nextNumber(trx, 'job_ids'), await nextNumber(trx, 'task_ids')]
  const at = new Date()
  const callsWebhook = !('roles' in by) || mayUseWebhook(webhookUser, by)
  const { key: limits } = await limitsOf(trx, ownerId)
  const run = trx
    .insertInto('reportRuns')
    .values({ templateId, jobId, by: by.name, status: 'NEW', startedAt: at, dueAt, callsWebhook, limits })
    .returning('id')
  const { id: runId } = await run.executeTakeFirstOrThrow()
  await beginJob(trx, jobId, by, queueReport(jobId, taskId, { templateId, name, runId }, at.toISOString()), limits)
  return jobId
}

/** The open run of a report with the data needed to undo it, and its job. */
export const openRunOf = (trx: Trx, templateId: number) =>
  trx
    .selectFrom('reportRuns')
    .innerJoin('jobs', 'jobs.id', 'reportRuns.jobId')
    .select(['reportRuns.id', 'reportTag', 'tagVersion', 'jobId', 'jobs.status'])
    .where('templateId', '=', templateId)
    .where('jobs.status', 'in', openStatuses)
    .executeTakeFirst()
