import { sql } from 'kysely'
import { type ActionJobType, actionJobTypes } from '#events/actions/actions.ts'
import type { CheckedAction } from '#events/actions/checked.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { type JobSight, showsJob } from '#server/workers/jobs/index.ts'
import { notFound } from '#server/platform/problem.ts'
import { type Scope, showsPart } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

const maxListed = 10

/** The newest actions on files of a volume that a scan has checked; of the jobs that are seen. Throws 404 without the volume. */
export async function listChecked(
  db: Db,
  scope: Scope,
  volumeId: number,
  sight: JobSight | undefined,
): Promise<CheckedAction[]> {
  const volume = db
    .selectFrom('volumes')
    .select('id')
    .where('id', '=', volumeId)
    .where(showsPart(scope, sql`id`))
  if (!(await volume.executeTakeFirst())) notFound('volume', volumeId)
  if (scope !== 'everything') return []
  const isChecked = JSON.stringify({ found: { storages: [{ volumeId }] } })
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'type', 'updatedAt', 'result'])
    .where('type', 'in', actionJobTypes)
    .where(sql<boolean>`result @> ${isChecked}::jsonb`)
    .where(showsJob(sight))
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute()
  return rows.flatMap(({ id: jobId, type, updatedAt, result }) => {
    const found = fieldsOf(result).found?.storages.find((storage) => storage.volumeId === volumeId)
    return found ? [{ jobId, type: type as ActionJobType, endedAt: updatedAt.toISOString(), found }] : []
  })
}
