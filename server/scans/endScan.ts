import type { z } from 'zod'
import type { CancelRequest } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { cancelTask, failTask } from '#server/jobs/index.ts'
import { staging } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Scan, changeScan } from './changeScan.ts'

const open: Scan['state'][] = ['waiting', 'running', 'committing']

/** Ends a scan without a snapshot; the older ones answer as before. */
export async function failScan(platform: Platform, scan: Scan, reason: string): Promise<void> {
  const at = new Date()
  const ended = { state: 'failed', finishedAt: at, reason } as const
  const changed = await changeScan(platform, scan, open, ended, (job) =>
    failTask(job, scan.taskId, reason, at.toISOString()),
  )
  if (changed) await forget(platform, scan)
}

export async function cancelScan(platform: Platform, scan: Scan, by: string): Promise<void> {
  const at = new Date()
  const ended = { state: 'cancelled', finishedAt: at, reason: `Cancelled by ${by}` } as const
  const changed = await changeScan(platform, scan, open, ended, (job) =>
    cancelTask(job, scan.taskId, by, at.toISOString()),
  )
  if (changed) await forget(platform, scan)
}

/** The agent is told to stop; should it not hear that, what it still sends of a closed scan is refused. */
const forget = async ({ clickhouse, nats, log }: Platform, scan: Scan) => {
  log.info({ scan: scan.id }, 'The scan ended without a snapshot')
  const cancel: z.input<typeof CancelRequest> = { taskId: scan.taskId }
  nats.connection.publish(subjects.cancel(scan.agentId), JSON.stringify(cancel))
  await staging.drop(clickhouse, scan.id)
}
