import type { JobType } from '#events/job-types.ts'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { plainTask, plainTimes } from './plainRows.ts'
import { selectRows } from './readJobs.ts'

const sortable = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const

type Asked = PageQuery & { types: JobType[] }

/** A page of the jobs of these types, or of all when none is named; newest first unless asked otherwise. */
export async function listJobs(db: Db, { page, size, sort = 'id', direction = 'desc', types }: Asked) {
  checkSort(sort, sortable)
  const rows = await selectRows(db)
    .$if(types.length > 0, (query) => query.where('jobs.type', 'in', types))
    .orderBy(`jobs.${sort}`, direction)
    .orderBy('jobs.id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('jobs')
    .$if(types.length > 0, (query) => query.where('type', 'in', types))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { elements: rows.map(plainTimes), page, size, total, sort, direction }
}

/** A page of a job's tasks, in their order unless asked otherwise. */
export async function listTasks(db: Db, jobId: number, { page, size, sort = 'id', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) return notFound('job', jobId)
  const ofJob = db.selectFrom('tasks').where('jobId', '=', jobId)
  const rows = await ofJob
    .selectAll()
    .orderBy(sort, direction)
    .orderBy('id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await ofJob.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { elements: rows.map(plainTask), page, size, total, sort, direction }
}
