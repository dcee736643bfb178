import { jobStatuses, isOpen } from '#events/jobs.ts'
import { changeJob, failTask } from '#server/jobs/index.ts'
import { system, type Trx } from '#server/platform/eventLog.ts'

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

/**
 * Ends what was under way when the backup was written: what agents and servers had of it is gone. Mails and webhooks that
 * waited are not sent, for they may have been since.
 */
export async function endOpenWork(trx: Trx, reason: string): Promise<void> {
  const at = new Date()
  await trx
    .updateTable('scans')
    .set({ state: 'failed', reason, finishedAt: at })
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .execute()
  const open = await trx.selectFrom('tasks').select('jobId').distinct().where('status', 'in', openStatuses).execute()
  for (const { jobId } of open)
    await changeJob(trx, jobId, system, (job) =>
      job.tasks.flatMap(({ id }) => failTask(job, id, reason, at.toISOString())),
    )
  await trx.updateTable('deliveries').set({ state: 'failed', reason }).where('state', '=', 'waiting').execute()
}
