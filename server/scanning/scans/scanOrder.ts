import type { Selectable } from 'kysely'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { groupOfType, listingOfType } from '#events/sources/kinds.ts'
import { type PendingPage, type PendingRequest, type TaskAnswer, maxConcurrentTasks } from '#events/tasks.ts'
import { configuredNumber, configuredValues } from '#server/access/configurations/index.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { type StartRequest, startTask } from '#server/workers/jobs/index.ts'
import { dayOf, timeZone } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { Problem } from '#server/platform/problem.ts'
import { sourceOrderOf } from '#server/scanning/sources/index.ts'
import { comparisonOf } from './comparisonOf.ts'
import { type Scan, changeScan } from './changeScan.ts'
import { failScan } from './endScan.ts'

/** Pending folders of a resumed scan that are sent with the order; the others are requested in pages. */
const pendingPageSize = 2_000

/**
 * Starts another attempt of a task's scan. Data that an older attempt still sends is refused, and its incomplete
 * results are removed, so that walking the pending folders completes the scan.
 */
export async function startScan(
  platform: Platform,
  taskId: number,
  run: string,
  request: StartRequest,
): Promise<TaskAnswer> {
  const scan = await platform.db.selectFrom('scans').selectAll().where('taskId', '=', taskId).executeTakeFirst()
  if (!scan) return { type: 'over', reason: 'This agent has no such task' }
  if (scan.state !== 'waiting' && scan.state !== 'running') return { type: 'over', reason: `The scan is ${scan.state}` }
  if (scan.announced) return { type: 'over', reason: 'The scan is complete' }
  return startAttempt(platform, scan, run, request)
}

/** The next folders that the current attempt of a resumed scan still has to list. */
export async function nextPending(
  { db, clickhouse }: Platform,
  agentId: number,
  { taskId, run, attempt, after }: PendingRequest,
): Promise<PendingPage> {
  const scan = await db
    .selectFrom('scans')
    .select('id')
    .where('taskId', '=', taskId)
    .where('agentId', '=', agentId)
    .where('attempt', '=', attempt)
    .where('agentRun', '=', run)
    .executeTakeFirstOrThrow()
  // The only page of a first attempt came with the order.
  if (attempt === 1) return { pending: [], morePending: 0 }
  return staging.pending(clickhouse, scan.id, after, pendingPageSize)
}

async function startAttempt(platform: Platform, scan: Scan, run: string, request: StartRequest): Promise<TaskAnswer> {
  const attempt = scan.attempt + 1
  const at = new Date()
  const volume = await platform.db
    .selectFrom('volumes')
    .selectAll()
    .where('id', '=', scan.volumeId)
    .executeTakeFirstOrThrow()
  const listing = listingOfType(volume.type)
  const compareWith = await comparisonOf(platform.db, scan, listing)
  const started = {
    state: 'running',
    attempt,
    agentRun: run,
    isCompared: compareWith?.isCheck === false,
    ...(!scan.startedAt && { startedAt: at, indexingDate: dayOf(at), walkedPath: volume.path }),
  } as const
  // An end that an earlier attempt announced in the meantime must not count for this attempt.
  const taken = await changeScan(platform, scan, ['waiting', 'running'], started, (job, now) =>
    now.attempt === scan.attempt && !now.announced
      ? startTask(job, scan.taskId, attempt, at.toISOString(), request)
      : [],
  )
  if (!taken) return { type: 'later', reason: 'The scan was changed just now' }
  const { clickhouse } = platform
  const hasKeys = groupOfType(volume.type) === 'object'
  await staging.create(clickhouse, scan.id, { hasKeys, comparedWith: compareWith?.scan })
  if (attempt > 1)
    await staging.startAttempt(clickhouse, scan.id, attempt, scan.scannedPath, listing, compareWith?.scan)
  const source = await sourceOrderOf(platform, volume, { isDelta: !scan.mustBeFull }).catch(orProblem)
  if (source instanceof Problem) return refuse(platform, scan, source.message)
  return orderOf(platform, scan, volume, { attempt, source, ...(compareWith && { compareWith }) })
}

/** A password that this server can't decrypt won't decrypt later either. */
function orProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

async function refuse(platform: Platform, scan: Scan, reason: string): Promise<TaskAnswer> {
  await failScan(platform, scan, reason)
  return { type: 'over', reason }
}

async function orderOf(
  platform: Platform,
  scan: Scan,
  volume: Selectable<Tables['volumes']>,
  started: Pick<ScanOrder, 'attempt' | 'source' | 'compareWith'>,
): Promise<TaskAnswer> {
  return {
    type: 'scan',
    order: {
      scanId: scan.id,
      product: await readProductId(platform.db),
      volumeId: volume.id,
      ...started,
      scannedPath: scan.scannedPath,
      ignoredPaths: volume.ignoredPaths,
      indexFolderOnlyPaths: volume.indexFolderOnlyPaths,
      crossFileSystems: volume.crossFileSystems && started.source.kind !== 'networkShare',
      threads: await threadsFor(platform.db, scan.agentId),
      ...(volume.pace && { pace: { ...volume.pace, timeZone: timeZone() } }),
      ...(await walkOf(platform.db, volume.scanType, scan.scannedPath)),
      ...(started.attempt === 1
        ? staging.firstPage(scan.scannedPath, listingOfType(volume.type))
        : await staging.pending(platform.clickhouse, scan.id, undefined, pendingPageSize)),
    },
  }
}

/**
 * Threads for the next scan of an agent, at least one: its share of `serverNumberOfThreads`, divided among its running
 * scans and those waiting to run along with them.
 */
async function threadsFor(db: Db, agentId: number): Promise<number> {
  const threads = await configuredNumber(db, 'serverNumberOfThreads')
  const { tasks } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('tasks'))
    .where('serverId', '=', agentId)
    .where('type', '=', 'SCAN_VOLUMES')
    .where('status', 'in', ['NEW', 'AVAILABLE', 'RUNNING'])
    .executeTakeFirstOrThrow()
  return Math.max(1, Math.floor(threads / Math.min(maxConcurrentTasks.SCAN_VOLUMES, Math.max(1, tasks))))
}

/**
 * The walk of a storage of this scan type, from a path: threads share all folders, only those of the first level, or
 * those that the configuration names.
 */
export async function walkOf(
  db: Db,
  scanType: string,
  scannedPath = '',
): Promise<Pick<ScanOrder, 'sharing' | 'withoutOwners'>> {
  const said = await configuredValues(db, 'numberOfFiles', 'folderDepth', 'isPerformanceModeActive')
  const hybrid = { afterFiles: Number(said.numberOfFiles), toDepth: Number(said.folderDepth) }
  const firstLevel = { afterFiles: 0, toDepth: scannedPath.split('/').length }
  return {
    ...(scanType === 'HYBRID_MULTITHREAD' && { sharing: hybrid }),
    ...(scanType === 'FOLDER_MULTITHREAD' && { sharing: firstLevel }),
    ...(said.isPerformanceModeActive === 'true' && { withoutOwners: true }),
  }
}
