import type { Job, JobEvent } from '#events/jobs.ts'
import { cancelTask, failTask, giveUpTask, loseTask } from '#server/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Scan, changeScan } from './changeScan.ts'
import { forgetScan, stopAttempt } from './tellAgent.ts'

const open: Scan['state'][] = ['waiting', 'running', 'committing']

/** Ends a scan without a snapshot; the older ones answer as before. */
export const failScan = (platform: Platform, scan: Scan, reason: string): Promise<void> =>
  end(platform, scan, { state: 'failed', reason }, (job, at) => failTask(job, scan.taskId, reason, at))

/** The same, because its agent died too often or stayed silent. */
export const giveUpScan = (platform: Platform, scan: Scan, reason: string): Promise<void> =>
  end(platform, scan, { state: 'failed', reason }, (job, at) => giveUpTask(job, scan.taskId, reason, at))

export const cancelScan = (platform: Platform, scan: Scan, by: string): Promise<void> =>
  end(platform, scan, { state: 'cancelled', reason: `Cancelled by ${by}` }, (job, at) =>
    cancelTask(job, scan.taskId, by, at),
  )

type End = { state: 'failed' | 'cancelled'; reason: string }

async function end(platform: Platform, scan: Scan, ended: End, decide: (job: Job, at: string) => JobEvent[]) {
  const at = new Date()
  const changed = await changeScan(platform, scan, open, { ...ended, finishedAt: at }, (job) =>
    decide(job, at.toISOString()),
  )
  if (changed) await forgetScan(platform, scan)
}

/** Lapses of the lease after which a scan is given up: its agent seems to fall silent at the same place each time. */
const mostLapses = 3

/**
 * The agent of a scan fell silent. The scan waits with what arrived until the agent takes it up again, but not for ever;
 * the notice of that is sent by whoever follows the log.
 */
export async function loseScan(platform: Platform, scan: Scan, reason: string): Promise<void> {
  const { lapses } = await platform.db
    .selectFrom('tasks')
    .select('lapses')
    .where('id', '=', scan.taskId)
    .executeTakeFirstOrThrow()
  if (lapses + 1 >= mostLapses) return giveUpScan(platform, scan, `${reason}, ${mostLapses} times`)
  const at = new Date().toISOString()
  const { taskId, attempt } = scan
  const changed = await changeScan(platform, scan, ['running'], { state: 'waiting' }, (job) =>
    loseTask(job, { taskId, attempt, reason }, at),
  )
  if (changed) stopAttempt(platform, scan, attempt)
}
