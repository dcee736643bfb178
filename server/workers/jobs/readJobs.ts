import { sql } from 'kysely'
import type { Bundle } from '#events/contract/needs.ts'
import { actionOfType, isOfPolicies, rightsOf } from '#events/actions/actions.ts'
import { type JobDetails, type JobFilters, type JobRow, maxStoragesInRow } from '#events/jobs/calls.ts'
import type { Job } from '#events/jobs/events.ts'
import { everySource } from '#events/sources/kinds.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type JobSight, showsJob } from './ownJobs.ts'
import { plainTask, plainTimes } from './plainRows.ts'
import { type JobType, jobTypes } from '#events/jobs/types.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import { notFound } from '#server/platform/problem.ts'

/**
 * The projections of these jobs, each with the version of its stream and its agent's name; missing jobs are left out.
 */
export async function jobRows(db: Db | Trx, ids: number[]): Promise<JobRow[]> {
  if (ids.length === 0) return []
  const rows = await selectRows(db, maxStoragesInRow).where('jobs.id', 'in', ids).orderBy('jobs.id').execute()
  return rows.map(plainTimes)
}

/** A job with its tasks, as shown to users. */
export async function findJobDetails(db: Db | Trx, id: number): Promise<JobDetails | undefined> {
  const row = await selectRows(db).where('jobs.id', '=', id).executeTakeFirst()
  return row && { ...plainTimes(row), tasks: await tasksOf(db, id) }
}

/** A job with its tasks, as folded from its events. */
export async function findJob(db: Db | Trx, jobId: number): Promise<Job | undefined> {
  const details = await findJobDetails(db, jobId)
  if (!details) return undefined
  const { id, type, status, serverId, createdAt, startedAt, updatedAt, payload, result, tasks } = details
  return { id, type, status, serverId, createdAt, startedAt, updatedAt, payload, result, tasks }
}

/** Storages of the scans of a job, failed ones first; volumes that were deleted keep their names. */
const storagesOfJob = sql`
  FROM tasks, jsonb_array_elements_text(tasks.payload -> 'volumes') AS scanned (volume_id)
  JOIN volumes ON volumes.id = scanned.volume_id::integer
  WHERE tasks.job_id = jobs.id AND tasks.type = 'SCAN_VOLUMES'`

/** The columns of a list's rows, with all storages or a number of them. */
const selectRows = (db: Db | Trx, maxStorages: number | null = null) =>
  db
    .selectFrom('jobs')
    .leftJoin('agents', (agents) => agents.onRef('agents.id', '=', 'jobs.serverId').on('agents.deletedAt', 'is', null))
    .select([
      'jobs.id',
      'jobs.type',
      'jobs.status',
      'jobs.serverId',
      'jobs.createdAt',
      'jobs.startedAt',
      'jobs.updatedAt',
      'jobs.payload',
      'jobs.result',
      'jobs.version',
      'jobs.userId',
      'jobs.limits',
      sql<string | null>`agents.name`.as('agentName'),
      sql<JobRow['storages']>`(
        SELECT coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]') FROM (
          SELECT volumes.id, volumes.name ${storagesOfJob}
          ORDER BY tasks.status IN ('FAILURE', 'SCANNER_ERROR') DESC, tasks.status = 'WARNING' DESC, tasks.id
          LIMIT ${maxStorages}) AS named)`.as('storages'),
      sql<number>`(SELECT count(*) ${storagesOfJob})`.as('storageCount'),
    ])

async function tasksOf(db: Db | Trx, jobId: number) {
  const tasks = await db.selectFrom('tasks').selectAll().where('jobId', '=', jobId).orderBy('id').execute()
  return tasks.map(plainTask)
}

const sortable = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const

type JobListOptions = PageQuery & JobFilters & { sight: JobSight | undefined }

/** A page of the jobs that someone sees and that match the filters; newest first by default. */
export const listJobs = (db: Db, { sight, ...query }: JobListOptions) =>
  listPage(
    db,
    filtered(selectRows(db, maxStoragesInRow), query).where(showsJob(sight)),
    query,
    { sortable, sort: 'id', direction: 'desc' },
    plainTimes,
  )

const filtered = (rows: ReturnType<typeof selectRows>, filters: JobFilters) => {
  const { types, statuses, agents, lastHours, createdFrom, createdTo } = filters
  const moment = (text: string | undefined) => sql<Date>`${text}::timestamptz`
  return rows
    .$if(types.length > 0, (some) => some.where('jobs.type', 'in', types))
    .$if(statuses.length > 0, (some) => some.where('jobs.status', 'in', statuses))
    .$if(agents.length > 0, (some) => some.where('jobs.serverId', 'in', agents))
    .$if(lastHours !== undefined, (some) =>
      some.where('jobs.createdAt', '>=', sql<Date>`now() - make_interval(hours => ${lastHours})`),
    )
    .$if(createdFrom !== undefined, (some) => some.where('jobs.createdAt', '>=', moment(createdFrom)))
    .$if(createdTo !== undefined, (some) => some.where('jobs.createdAt', '<', moment(createdTo)))
}

/** Types of existing jobs; with limits, of those that the user sees. */
export async function typesOfJobs(db: Db, sight: JobSight | undefined): Promise<JobType[]> {
  const isSeen = showsJob(sight && 'limits' in sight ? sight : undefined)
  const rows = await db.selectFrom('jobs').select('type').distinct().where(isSeen).execute()
  return rows.map(({ type }) => type)
}

/** Types that jobs can have with these licensed bundles, and types of jobs that someone sees. */
export async function listJobTypes(
  db: Db,
  licensed: readonly Bundle[],
  sight: JobSight | undefined,
): Promise<JobType[]> {
  const existing = new Set(await typesOfJobs(db, sight))
  const isPossible = (type: JobType) => {
    const action = actionOfType(type)
    if (action && isOfPolicies(action)) return false
    const { bundle } = action ? rightsOf(action) : (everySource.find(({ scannedBy }) => scannedBy === type) ?? {})
    return bundle === undefined || licensed.includes(bundle)
  }
  return jobTypes.filter((type) => isPossible(type) || existing.has(type))
}

/** A page of a job's tasks, sorted by number by default. */
export async function listTasks(db: Db, jobId: number, query: PageQuery) {
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) return notFound('job', jobId)
  const ofJob = db.selectFrom('tasks').where('jobId', '=', jobId).selectAll()
  return listPage(db, ofJob, query, { sortable, sort: 'id' }, plainTask)
}
