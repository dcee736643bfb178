import { TaskRequest, type TaskAnswer } from '#events/agents.ts'
import type { ShareMount } from '#events/scans.ts'
import { startTask } from '#server/jobs/index.ts'
import { staging } from '#server/ingest/index.ts'
import { mountOf } from '#server/network-volumes/index.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { type Scan, changeScan } from './changeScan.ts'
import { failScan, giveUpScan } from './endScan.ts'
import { threadsFor } from './threadsFor.ts'
import { walkOf } from './walkOf.ts'

/** A scan whose agent dies this often is given up: it would die at the same place again. */
const mostTries = 10

/** How many folders of a resumed scan go with the order; the others are asked for page by page. */
export const pendingPage = 2_000

/**
 * Answers an agent that starts a task. Each start is a new attempt: what an older one still sends is refused, and what
 * it left half done is taken back, so that walking the pending folders completes the scan.
 */
export async function answerStart(platform: Platform, agentId: number, request: unknown): Promise<TaskAnswer> {
  const read = TaskRequest.safeParse(request)
  if (!read.success) return { type: 'over', reason: 'This is not a request for a task' }
  const scan = await findTask(platform, read.data.taskId)
  if (!scan || scan.agentId !== agentId) return { type: 'over', reason: 'This agent has no such task' }
  if (scan.state !== 'waiting' && scan.state !== 'running') return { type: 'over', reason: `The scan is ${scan.state}` }
  if (scan.status === 'WAITING') return { type: 'over', reason: 'The scan is paused' }
  if (scan.announced) return { type: 'over', reason: 'The scan is complete' }
  if (scan.tries >= mostTries) return giveUp(platform, scan)
  return order(platform, scan, read.data.run)
}

const findTask = ({ db }: Platform, taskId: number) =>
  db
    .selectFrom('scans')
    .innerJoin('tasks', 'tasks.id', 'scans.taskId')
    .selectAll('scans')
    .select(['tasks.status', 'tasks.tries'])
    .where('scans.taskId', '=', taskId)
    .executeTakeFirst()

async function giveUp(platform: Platform, scan: Scan): Promise<TaskAnswer> {
  const reason = `The agent ended ${mostTries} times in the middle of this scan`
  await giveUpScan(platform, scan, reason)
  return { type: 'over', reason }
}

async function order(platform: Platform, scan: Scan, run: string): Promise<TaskAnswer> {
  const attempt = scan.attempt + 1
  const at = new Date()
  const started = {
    state: 'running',
    attempt,
    agentRun: run,
    takenAt: at,
    ...(!scan.startedAt && { startedAt: at, indexingDate: dayOf(at) }),
  } as const
  const taken = await changeScan(platform, scan, ['waiting', 'running'], started, (job) =>
    startTask(job, scan.taskId, attempt, at.toISOString()),
  )
  if (!taken) return { type: 'later', reason: 'The scan was changed just now' }
  await staging.create(platform.clickhouse, scan.id)
  await staging.startAttempt(platform.clickhouse, scan.id, attempt, scan.scannedPath)
  const mount = await mountOf(platform, scan.volumeId).catch(orProblem)
  return mount instanceof Problem ? refuse(platform, scan, mount.message) : orderOf(platform, scan, attempt, mount)
}

/** A password that this server cannot open will not open later either. */
function orProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

async function refuse(platform: Platform, scan: Scan, reason: string): Promise<TaskAnswer> {
  await failScan(platform, scan, reason)
  return { type: 'over', reason }
}

async function orderOf(platform: Platform, scan: Scan, attempt: number, mount?: ShareMount): Promise<TaskAnswer> {
  const volume = await platform.db
    .selectFrom('volumes')
    .selectAll()
    .where('id', '=', scan.volumeId)
    .executeTakeFirstOrThrow()
  return {
    type: 'scan',
    order: {
      scanId: scan.id,
      attempt,
      volumeId: volume.id,
      root: volume.path,
      ...(mount && { mount }),
      scannedPath: scan.scannedPath,
      ignoredPaths: volume.ignoredPaths,
      indexFolderOnlyPaths: volume.indexFolderOnlyPaths,
      crossFileSystems: volume.crossFileSystems && !mount,
      threads: await threadsFor(platform.db, scan.agentId),
      ...(await walkOf(platform.db, volume.scanType, scan.scannedPath)),
      ...(await staging.pending(platform.clickhouse, scan.id, undefined, pendingPage)),
    },
  }
}
