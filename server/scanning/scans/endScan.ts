import type { Job, JobEvent } from '#events/jobs/events.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { cancelTask, failTask, loseTask } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { maxLapses, stopTask } from '#server/workers/tasks/index.ts'
import { type Scan, changeScan } from './changeScan.ts'

const open: Scan['state'][] = ['waiting', 'running', 'committing']

/** Ends a scan without a snapshot. Older snapshots stay available. */
export const failScan = (platform: Platform, scan: Scan, reason: string): Promise<void> =>
  end(platform, scan, { state: 'failed', reason }, (job, at) => failTask(job, scan.taskId, reason, at))

export const cancelScan = (platform: Platform, scan: Scan, by: string): Promise<void> =>
  end(platform, scan, { state: 'cancelled', reason: `Cancelled by ${by}` }, (job, at) =>
    cancelTask(job, scan.taskId, by, at),
  )

/** Tries again after data of an attempt was lost on its way. If the loss repeats, the scan is abandoned. */
export const loseScan = (platform: Platform, scan: Scan, reason: string): Promise<void> =>
  tryAgain(platform, scan, reason, { from: 'running' })

/** Abandons an attempt whose left-out files don't match the known ones; another attempt sends all files. */
export const beginInFull = (platform: Platform, scan: Scan, reason: string): Promise<void> =>
  tryAgain(platform, scan, reason, { from: 'committing', mustBeFull: true })

type Again = { from: Scan['state']; mustBeFull?: true }

async function tryAgain(platform: Platform, scan: Scan, reason: string, { from, ...more }: Again): Promise<void> {
  const at = new Date().toISOString()
  const { id: scanId, taskId, attempt } = scan
  let isLost = false
  await changeScan(platform, scan, [from], { state: 'waiting', announced: null, ...more }, (job) => {
    const lapses = job.tasks.find(({ id }) => id === taskId)?.lapses ?? 0
    const events = lapses + 1 < maxLapses ? loseTask(job, { taskId, attempt, reason }, at) : []
    isLost = events.length > 0
    return events
  })
  if (isLost) platform.log.warn({ scan: scanId, attempt, reason }, 'A scan continues in another attempt')
  else await failScan(platform, scan, reason)
}

type End = { state: 'failed' | 'cancelled'; reason: string }

async function end(platform: Platform, scan: Scan, ended: End, decide: (job: Job, at: string) => JobEvent[]) {
  const at = new Date()
  const changed = await changeScan(platform, scan, open, { ...ended, finishedAt: at }, (job) =>
    decide(job, at.toISOString()),
  )
  if (!changed) return
  platform.live({ type: 'changed', topics: ['jobs'] })
  await forgetScan(platform, scan)
}

/** Cleans up an ended scan: stops its agent and drops the data that arrived. Later data is refused. */
export async function forgetScan(
  platform: Platform,
  { id, agentId, taskId }: Pick<Scan, 'id' | 'agentId' | 'taskId'>,
): Promise<void> {
  platform.log.info({ scan: id }, 'The scan ended without a snapshot')
  stopTask(platform, agentId, { taskId })
  await staging.drop(platform.clickhouse, id)
}
