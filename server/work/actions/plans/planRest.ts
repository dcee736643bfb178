import { ActionRequest, actionOfType } from '#events/actions/actions.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
import { isOpen } from '#events/jobs/events.ts'
import { taskPayloadOf } from '#events/jobs/payloads.ts'
import { maxListedEntries, type SelectedEntry } from '#events/selections.ts'
import { checkOwn, findJob } from '#server/workers/jobs/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { unfinishedFiles } from '../kit/files.ts'
import { handlerOf } from './handlers.ts'
import { planAction } from './plans.ts'

/**
 * Plans the action of an ended job again, for its failed files and those it did not start, at the newest snapshot. Files that were sent with an
 * unknown outcome are not among them. Actions with results are planned for all their files. Throws 404 for a job of another user, and 409 if the job is open or nothing is left.
 */
export async function planRest(
  platform: Pick<Platform, 'db' | 'clickhouse' | 'config'>,
  jobId: number,
  by: Caller,
): Promise<ActionPlan> {
  await checkOwn(platform.db, jobId, by)
  const job = (await findJob(platform.db, jobId)) ?? notFound('job', jobId)
  const request = ActionRequest.safeParse({ jobType: job.type, payload: job.payload })
  if (!request.success) return conflict('The job is not an action on files')
  if (isOpen(job)) return conflict('The job has not ended')
  if (handlerOf(actionOfType(request.data.jobType)).results) return planAction(platform, request.data, { by })
  const entries: SelectedEntry[] = []
  for (const task of job.tasks) {
    const payload = taskPayloadOf(task, 'ACT_ON_FILES')
    const limit = maxListedEntries + 1 - entries.length
    const files = payload ? await unfinishedFiles(platform.clickhouse, payload, limit) : []
    entries.push(...files.map((file) => ({ ...file, isDirectory: false })))
  }
  if (entries.length === 0) return conflict('All files of the job are done')
  if (entries.length > maxListedEntries)
    return conflict(`More than ${maxListedEntries.toLocaleString('en-US')} files are left. Select them again.`)
  return planAction(platform, request.data, { by, entries })
}
