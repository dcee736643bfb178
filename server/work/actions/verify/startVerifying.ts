import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { actionJobTypes, actionOfType, optionsOf } from '#events/actions/actions.ts'
import type { Job } from '#events/jobs/events.ts'
import { taskPayloadOf } from '#events/jobs/payloads.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import { fieldsOf, type FoundFiles } from '#events/jobs/taskResults.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { changeJob, findJob, verifyTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { findSelection } from '#server/questions/selections/index.ts'
import { type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { countAtTarget, countInStorages } from './countFound.ts'
import type { Targets } from '../kit/handler.ts'
import { handlerOf } from '../plans/handlers.ts'

/** Days after its end in which scans verify an action. */
const verifiedDays = 30

const ends: readonly string[] = ['TaskSucceeded', 'TaskWarned']

const verifiedTypes = actionJobTypes.filter((type) => !handlerOf(actionOfType(type)).results)

/** After each scan, compares the files of earlier actions on its storages with the new snapshot. */
export const startVerifying = (platform: Platform): Running =>
  follow(
    platform.db,
    'actions-after-scans',
    async ({ stream, event }) => {
      const jobId = ends.includes(event.type) ? jobIdOfStream(stream) : undefined
      const job = jobId === undefined ? undefined : await findJob(platform.db, jobId)
      const ended = job?.tasks.filter(({ id }) => 'taskId' in event && event.taskId === id) ?? []
      const scanned = ended.flatMap(scannedStorages)
      if (scanned.length > 0) await verifyAfter(platform, scanned)
    },
    (error) => platform.log.error({ error }, 'could not verify actions after a scan, will retry'),
  )

/** Verifies the actions of the last days that these volumes belong to. */
export async function verifyAfter(platform: Platform, scanned: readonly number[]): Promise<void> {
  const { db } = platform
  const since = new Date(Date.now() - verifiedDays * 86_400_000)
  const jobs = await db
    .selectFrom('jobs')
    .select('id')
    .where('type', 'in', verifiedTypes)
    .where('status', 'in', ['SUCCESS', 'WARNING'])
    .where('updatedAt', '>=', since)
    .orderBy('id')
    .execute()
  const snapshot = jobs.length > 0 ? await snapshotAt(db, 'everything') : undefined
  if (!snapshot) return
  for (const { id } of jobs) {
    const job = await findJob(db, id)
    if (job) await verifyJob(platform, job, snapshot, scanned)
  }
}

/** Compares the files of each task with the scans since the job's end. */
async function verifyJob(platform: Platform, job: Job, snapshot: Snapshot, scanned: readonly number[]): Promise<void> {
  const { db, clickhouse } = platform
  const since = await scannedSince(db, job, snapshot)
  const targets = await targetsOf(platform, job, snapshot, since)
  for (const task of job.tasks) {
    const files = taskPayloadOf(task, 'ACT_ON_FILES')
    const frozen = files && (await findSelection(db, files.selection))
    if (!files || !frozen) continue
    const sources = Object.keys(frozen.scans).map(Number)
    const affected = [...sources, ...targets.folders.map(({ volumeId }) => volumeId)]
    if (!affected.some((volumeId) => scanned.includes(volumeId))) continue
    if (targets.once && fieldsOf(task.result).found?.storages.length) continue
    const scannedSources = sources.filter((volumeId) => since.includes(volumeId))
    const found: FoundFiles = {
      at: new Date().toISOString(),
      target: await countAtTarget(clickhouse, snapshot, files, targets),
      storages: await countInStorages(clickhouse, snapshot, files, scannedSources, targets.once?.only),
    }
    const verify = (now: Job) => verifyTask(now, task.id, found, isAsExpected(targets, found))
    await inTransaction(db, (trx) => changeJob(trx, job.id, system, verify))
  }
}

/** Volumes with a complete scan that began after the end of the job. */
async function scannedSince(db: Db, { updatedAt }: Job, { volumes }: Snapshot): Promise<number[]> {
  const rows = await db
    .selectFrom('scans')
    .select('volumeId')
    .distinct()
    .where('state', '=', 'done')
    .where('scannedPath', '=', '')
    .where('startedAt', '>', new Date(updatedAt))
    .execute()
  const shown = volumes.map(({ volumeId }) => volumeId)
  return rows.map(({ volumeId }) => volumeId).filter((volumeId) => shown.includes(volumeId))
}

async function targetsOf(
  platform: Platform,
  job: Job,
  snapshot: Snapshot,
  scannedSince: readonly number[],
): Promise<Targets> {
  const action = actionOfType(job.type)
  const options = action && optionsOf(job, action)
  const targets = options && (await handlerOf(action).targets?.(platform, options, snapshot, scannedSince, job.id))
  return targets ?? { folders: [], keepsTimes: false }
}

/** All files have arrived unchanged, those of a move are gone from their source, and those of a return are there again. */
function isAsExpected({ isMove = false, isReturn = false }: Targets, { target, storages }: FoundFiles): boolean {
  const haveArrived = target === null || target.changed + target.missing === 0
  const arePresent = !isReturn || storages.every(({ gone, changed }) => gone + changed === 0)
  return haveArrived && arePresent && (!isMove || storages.every(({ there }) => there === 0))
}
