import type { Job } from '#events/jobs/events.ts'
import { payloadOf, taskPayloadOf } from '#events/jobs/payloads.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import { actionJobTypes } from '#events/jobs/types.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { namesOf } from '#events/sources/pathMapping.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { changeJob, findJob, verifyTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { follow, wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { findSelection } from '#server/selections/index.ts'
import { type Snapshot, snapshotAt } from '#server/snapshots/reading/snapshotAt.ts'
import { countFound, type ScannedIndex } from './countFound.ts'

/** Days after its end in which scans verify an action. */
const verifiedDays = 30

const ends: readonly string[] = ['TaskSucceeded', 'TaskWarned']

/** After each scan, compares the files of earlier actions on its storages with the new snapshot. */
export const startVerifying = (platform: Platform): Running =>
  follow(
    platform.db,
    'actions-after-scans',
    async ({ stream, event: { type } }) => {
      const jobId = ends.includes(type) ? jobIdOfStream(stream) : undefined
      const job = jobId === undefined ? undefined : await findJob(platform.db, jobId)
      const scanned = job?.tasks.flatMap(scannedStorages) ?? []
      if (scanned.length > 0) await verifyAfter(platform, scanned)
    },
    (error) => platform.log.error({ error }, 'could not verify actions after a scan, will retry'),
  )

async function verifyAfter(platform: Platform, scanned: readonly number[]): Promise<void> {
  const { db } = platform
  const since = new Date(Date.now() - verifiedDays * 86_400_000)
  const jobs = await db
    .selectFrom('jobs')
    .select('id')
    .where('type', 'in', actionJobTypes)
    .where('status', 'in', ['SUCCESS', 'WARNING'])
    .where('updatedAt', '>=', since)
    .orderBy('id')
    .execute()
  const snapshot = jobs.length > 0 ? await snapshotAt(db) : undefined
  if (!snapshot) return
  for (const { id } of jobs) {
    const job = await findJob(db, id)
    if (job) await verifyJob(platform, job, snapshot, scanned)
  }
  wakeFollowers()
}

async function verifyJob(platform: Platform, job: Job, snapshot: Snapshot, scanned: readonly number[]): Promise<void> {
  const { db, clickhouse } = platform
  const indexes = await indexesOf(platform, job, snapshot)
  for (const task of job.tasks) {
    const payload = taskPayloadOf(task, 'ACT_ON_FILES')
    const frozen = payload && (await findSelection(db, payload.selection))
    if (!payload || !frozen) continue
    const affected = [...Object.keys(frozen.scans).map(Number), ...(indexes ?? []).map(({ volumeId }) => volumeId)]
    if (!affected.some((volumeId) => scanned.includes(volumeId))) continue
    const found = await countFound(clickhouse, snapshot, payload, { indexes, at: new Date().toISOString() })
    await db.transaction().execute((trx) => changeJob(trx, job.id, system, (now) => verifyTask(now, task.id, found)))
  }
}

/** The scanned indexes of the P5 server that a job archived to; null for other actions, and while none was scanned since. */
async function indexesOf({ db }: Platform, job: Job, snapshot: Snapshot): Promise<ScannedIndex[] | null> {
  const payload = payloadOf(job, 'ARCHIVE_ARCHIWARE_FILES') ?? payloadOf(job, 'ARCHIVE_ARCHIWARE_SEARCH_RESULT')
  if (!payload || payload.indexroot !== '') return null
  const rows = await db
    .selectFrom('archiwares')
    .innerJoin('scans', 'scans.volumeId', 'archiwares.volumeId')
    .select(['archiwares.volumeId', 'archiwares.path'])
    .distinct()
    .where('credentialId', '=', payload.credentialsId)
    .where('scans.state', '=', 'done')
    .where('scans.startedAt', '>', new Date(job.updatedAt))
    .execute()
  const shown = rows.filter(({ volumeId }) => snapshot.volumes.some((volume) => volume.volumeId === volumeId))
  if (shown.length === 0) return null
  return shown.map(({ volumeId, path }) => {
    const names = namesOf(path).map(shownName)
    return { volumeId, folder: names.length === 0 ? '/' : `/${names.join('/')}/` }
  })
}
