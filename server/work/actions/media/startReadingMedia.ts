import { sql as postgres } from 'kysely'
import { jobTypesOf } from '#events/actions/actions.ts'
import { isOpen } from '#events/jobs/events.ts'
import { taskPayloadOf } from '#events/jobs/payloads.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { noFilters } from '#events/search/filters.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { contentKey } from '#server/content/media/contentKey.ts'
import { all, sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { dropSelection, findSelection, freezeSelection } from '#server/questions/selections/index.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { offDiskRule } from '../contents/compare.ts'
import { type ActionPlanning, leaveOutMadeUp } from '../kit/parts.ts'
import { savePlan, startPlan } from '../plans/plans.ts'
import { isMedia, objectRules, readMedia } from './readMedia.ts'

const ends: readonly string[] = ['TaskSucceeded', 'TaskWarned']
const types = jobTypesOf('readMedia')

/** After each scan of a storage whose media files are read, starts a job for the new and changed ones. */
export const startReadingMedia = (platform: Platform): Running =>
  follow(
    platform.db,
    'media-after-scans',
    async ({ stream, event }) => {
      const jobId = ends.includes(event.type) ? jobIdOfStream(stream) : undefined
      const job = jobId === undefined ? undefined : await findJob(platform.db, jobId)
      const ended = job?.tasks.filter(({ id }) => 'taskId' in event && event.taskId === id) ?? []
      for (const task of ended) {
        const read = types.some((type) => type === job?.type) ? taskPayloadOf(task, 'ACT_ON_FILES') : undefined
        const scannedSince = read ? await scannedSinceSelection(platform.db, read) : []
        for (const volumeId of [...scannedStorages(task), ...scannedSince]) await readUnread(platform, volumeId)
      }
    },
    (error) => platform.log.error({ error }, 'could not read media files after a scan, will retry'),
  )

/** The storage of a job that was scanned while the job was running: its new files are still unread. */
async function scannedSinceSelection(
  db: Db,
  { selection, system: volumeId }: { selection: number; system: number },
): Promise<number[]> {
  const frozen = await findSelection(db, selection)
  const volume = await db.selectFrom('volumes').select('committedScan').where('id', '=', volumeId).executeTakeFirst()
  return (volume?.committedScan ?? 0) > (frozen?.scans[volumeId] ?? Infinity) ? [volumeId] : []
}

/** Starts a job for media files whose content was never read, unless one is open for the storage or the storage isn't to be read. */
export async function readUnread(platform: Platform, volumeId: number): Promise<void> {
  const { db, clickhouse, config } = platform
  if (!(await isToBeRead(db, volumeId))) return
  let parts: ActionPlanning['parts'] = []
  const search = { filters: { ...noFilters, storageId: [volumeId] }, isDirectory: false }
  const frozen = await freezeSelection(platform, {
    selection: search,
    by: system,
    scope: 'everything',
    expandFolders: true,
    async plan(snapshot) {
      const planned = await readMedia.plan(platform, {}, snapshot, search)
      ;({ parts } = planned)
      const [isOffDisk] = await offDiskRule(db, [{ volumeId }])
      const isRead = sql`${contentKey} IN (SELECT content FROM media_facts WHERE volume = ${volumeId})`
      const readable = objectRules(snapshot).map(([isLeftOut]) => sql`NOT ${isLeftOut}`)
      const only = all([isMedia, ...readable, sql`NOT ${isOffDisk}`, sql`NOT ${isRead}`])
      return { ...leaveOutMadeUp(planned.plan, snapshot, config), only }
    },
  })
  const request = { jobType: 'READ_MEDIA_SEARCH_RESULT', payload: search } as const
  const { id, files } = await savePlan(platform, frozen, parts, { request, userId: null })
  if (files > 0) await startPlan(platform, id, system)
  else await dropSelection({ db, clickhouse }, id)
}

async function isToBeRead(db: Db, volumeId: number): Promise<boolean> {
  const volume = await db
    .selectFrom('volumes')
    .select('id')
    .where('id', '=', volumeId)
    .where('readMedia', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  const open = await db
    .selectFrom('tasks')
    .innerJoin('jobs', 'jobs.id', 'tasks.jobId')
    .select('tasks.id')
    .where('jobs.type', 'in', types)
    .where('jobs.status', 'in', openStatuses)
    .where(postgres<boolean>`tasks.payload ->> 'system' = ${String(volumeId)}`)
    .executeTakeFirst()
  return volume !== undefined && open === undefined
}

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))
