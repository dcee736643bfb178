import { beginCommit, changeJob, endTask } from '#server/jobs/index.ts'
import { staging } from '#server/ingest/index.ts'
import { subjects, streams } from '#events/subjects.ts'
import { readDashboard } from '#server/dashboard/index.ts'
import { system } from '#server/platform/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { commitScan } from '#server/snapshots/index.ts'
import { type Scan, announce, changeScan, findScan } from './changeScan.ts'
import { failScan } from './endScan.ts'

/** Scans that this process is checking or committing, so that each is done once at a time. */
const busy = new Map<number, { again: boolean }>()

/**
 * Called after each batch, at each start and now and then: when all that the agent announced is in, makes the snapshot;
 * when something is missing and nothing is under way any more, fails the scan and names it.
 */
export async function checkScan(platform: Platform, scanId: number): Promise<void> {
  const under = busy.get(scanId)
  if (under) return void (under.again = true)
  const mine = { again: true }
  busy.set(scanId, mine)
  try {
    while (mine.again) {
      mine.again = false
      await check(platform, scanId)
    }
  } finally {
    busy.delete(scanId)
  }
}

async function check(platform: Platform, scanId: number): Promise<void> {
  const scan = await findScan(platform, scanId)
  if (!scan?.announced) return
  if (scan.state === 'committing') return void commit(platform, scan)
  if (scan.state !== 'running') return
  const arriving = await messagesUnderWay(platform, scan)
  const missing = await staging.missing(platform.clickhouse, scan.id, scan.announced, scan.scannedPath)
  if (missing && arriving === 0) return failScan(platform, scan, `Parts of the scan never arrived: ${missing}`)
  if (missing) return
  const at = new Date().toISOString()
  await changeScan(platform, scan, ['running'], { state: 'committing' }, (job) => beginCommit(job, scan.taskId, at))
  void commit(platform, scan)
}

/** Batches of the scan that wait in the stream or are not acknowledged yet; asked before what is missing. */
async function messagesUnderWay({ nats }: Platform, { agentId, id }: Scan): Promise<number> {
  const subject = subjects.entries(agentId, id)
  const { state } = await nats.jsm.streams.info(streams.scans, { subjects_filter: subject })
  return state.subjects?.[subject] ?? 0
}

/** A commit is repeatable; one that fails this often ends its scan. */
const commitTries = 5
const committing = new Set<number>()
const failures = new Map<number, number>()

async function commit(platform: Platform, scan: Scan): Promise<void> {
  if (committing.has(scan.id)) return
  committing.add(scan.id)
  try {
    await commitScan(platform, scan.id, async (trx, { files, folders, bytes, unreadable }) => {
      const at = new Date().toISOString()
      await changeJob(trx, scan.jobId, system, (job) =>
        endTask(job, scan.taskId, { files, folders, bytes, unreadable }, at),
      )
    })
    failures.delete(scan.id)
    await showSnapshot(platform, scan.id)
  } catch (error) {
    await afterFailure(platform, scan, error)
  } finally {
    committing.delete(scan.id)
  }
}

/** The sweep calls the commit again; after the last try the scan fails with what went wrong. */
async function afterFailure(platform: Platform, scan: Scan, error: unknown): Promise<void> {
  const failed = (failures.get(scan.id) ?? 0) + 1
  failures.set(scan.id, failed)
  platform.log.error({ error, scan: scan.id, failed }, 'The snapshot could not be made')
  if (failed < commitTries) return
  const reason = error instanceof Error ? error.message : String(error)
  await failScan(platform, scan, `The snapshot could not be made: ${reason}`).catch((again: unknown) =>
    platform.log.error({ error: again, scan: scan.id }, 'The scan could not be ended'),
  )
}

async function showSnapshot(platform: Platform, scanId: number): Promise<void> {
  await announce(platform, scanId)
  platform.live({ type: 'dashboard', dashboard: await readDashboard(platform.db) })
  platform.live({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
}
