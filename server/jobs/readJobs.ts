import type { Job } from '#events/jobs.ts'
import type { PageQuery } from '#events/page.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid } from '#server/platform/problem.ts'

const sortable = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const

/** A page of jobs, newest first unless asked otherwise; their tasks are left out. */
export async function listJobs(db: Db, { page, size, sort = 'id', direction = 'desc' }: PageQuery) {
  const by = sortable.find((column) => column === sort) ?? invalid('sort', `must be one of ${sortable.join(', ')}`)
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { elements: rows.map(withoutBookkeeping), page, size, total, sort: by, direction }
}

/** One job with its tasks. */
export async function findJob(db: Db, id: number): Promise<Job | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const tasks = await db.selectFrom('tasks').selectAll().where('jobId', '=', id).orderBy('id').execute()
  return { ...withoutBookkeeping(row), tasks: tasks.map(({ jobId: _, ...task }) => ({ ...task, ...times(task) })) }
}

type Times = { createdAt: Date; startedAt: Date | null; updatedAt: Date }
const times = ({ createdAt, startedAt, updatedAt }: Times) => ({
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  updatedAt: updatedAt.toISOString(),
})

const withoutBookkeeping = <T extends Times & { version: number; evolveVersion: number }>(row: T) => {
  const { version: _, evolveVersion: __, ...job } = row
  return { ...job, ...times(row) }
}
