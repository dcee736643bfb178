import type { ScanResult } from '#events/jobs/taskResults.ts'
import { beginCommit, changeJob, endTask } from '#server/workers/jobs/index.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { consumers, streams } from '#events/subjects.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { AnnouncedScan } from '#server/platform/postgres/jobTables.ts'
import { conflict, messageOf } from '#server/platform/problem.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { commitScan, UnfitMarks } from '#server/content/snapshots/index.ts'
import { type Scan, announce, changeScan, findScan, listingOf } from './changeScan.ts'
import { beginInFull, failScan, loseScan } from './endScan.ts'

/** Scans that this process is checking or committing, so that each has one check at a time. */
const busy = new Map<number, { again: boolean }>()

/**
 * Creates the snapshot once all announced data has arrived. If some is missing and none is on its way, fails the scan
 * and names the missing part. Called after each batch, at each start and periodically.
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
  if (scan.state === 'committing' || isUnfinished(scan)) return void commit(platform, scan)
  failures.delete(scan.id)
  if (scan.state !== 'running') return
  const isArriving = await isUnderWay(platform, scan.announced)
  const listing = await listingOf(platform.db, scan.volumeId)
  const missing = await staging.missing(platform.clickhouse, scan.id, scan.announced, scan.scannedPath, listing)
  if (missing && !isArriving) return loseScan(platform, scan, `Parts of the scan never arrived: ${missing}`)
  if (missing) return
  const at = new Date().toISOString()
  const isBegun = await changeScan(platform, scan, ['running'], { state: 'committing' }, (job, now) =>
    now.attempt === scan.attempt ? beginCommit(job, scan.taskId, at) : [],
  )
  if (isBegun) void commit(platform, scan)
}

/**
 * True if batches that were published before the announced end may still be on their way. Call it before the check for
 * missing data. (In nats-server 2.9 the stream's own count by subject is wrong after messages were removed out of
 * order.)
 */
async function isUnderWay({ nats }: Platform, { sequence }: AnnouncedScan): Promise<boolean> {
  const entries = await nats.jsm.consumers.info(streams.scans, consumers.entries)
  return entries.num_pending + entries.num_ack_pending > 0 && entries.ack_floor.stream_seq < sequence
}

/** Failures of a commit, which is repeatable, until its scan fails. */
const commitTries = 5
const committing = new Set<number>()
const failures = new Map<number, number>()

/** Scans whose commit was interrupted. If the snapshot is already visible, tags still have to follow moved entries. */
export const brokenOff = (): number[] => [...failures.keys()]
const isUnfinished = ({ id, state }: Scan): boolean => failures.has(id) && (state === 'done' || state === 'partial')

async function commit(platform: Platform, scan: Scan): Promise<void> {
  if (committing.has(scan.id)) return
  committing.add(scan.id)
  try {
    await commitScan(platform, scan.id, async (trx, { files, folders, bytes, unreadable }) => {
      const at = new Date().toISOString()
      const result = { files, folders, bytes, unreadable, ...toldOf(scan) }
      const { events } = await changeJob(trx, scan.jobId, system, (job) => endTask(job, scan.taskId, result, at))
      if (events.length === 0) conflict(`Task ${scan.taskId} does not run`)
    })
    failures.delete(scan.id)
    await showSnapshot(platform, scan.id)
  } catch (error) {
    if (error instanceof UnfitMarks) await beginInFull(platform, scan, error.message).catch(orWarn(platform, scan))
    else await afterFailure(platform, scan, error)
  } finally {
    committing.delete(scan.id)
  }
}

/** The sweep calls the commit again, with the same result. */
const orWarn = (platform: Platform, scan: Scan) => (error: unknown) =>
  platform.log.warn({ error, scan: scan.id }, 'A scan that has to restart could not')

/** Numbers of requests and of odd records of a paged listing, and the agent's note on the scan. */
function toldOf({ announced }: Scan): Pick<ScanResult, 'requests' | 'oddRecords' | 'note'> {
  const { note, oddRecords, progress: { requests } = {} } = announced ?? {}
  return {
    ...(requests !== undefined && { requests }),
    ...(oddRecords !== undefined && { oddRecords }),
    ...(note !== undefined && { note }),
  }
}

/**
 * The sweep calls the commit again. After the last try the scan fails with the error. A store that is away doesn't count, nor does a scan
 * that ended in the meantime: its tables are gone.
 */
async function afterFailure(platform: Platform, scan: Scan, error: unknown): Promise<void> {
  const { state } = (await findScan(platform, scan.id).catch(() => undefined)) ?? scan
  if (state === 'cancelled' || state === 'failed') return void failures.delete(scan.id)
  const failed = (failures.get(scan.id) ?? 0) + (isStoreLost(error) ? 0 : 1)
  failures.set(scan.id, failed)
  platform.log.error({ error, scan: scan.id, failed }, 'The snapshot could not be made')
  if (failed < commitTries) return
  const reason = messageOf(error)
  await failScan(platform, scan, `The snapshot could not be made: ${reason}`).catch((again: unknown) =>
    platform.log.error({ error: again, scan: scan.id }, 'The scan could not be ended'),
  )
}

/** Each replica reads its dashboard again and pushes it when it receives this change. */
async function showSnapshot(platform: Platform, scanId: number): Promise<void> {
  await announce(platform, scanId)
  platform.live({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
}
