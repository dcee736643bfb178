import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

/** Throws 404 for a project that there is not. */
export async function checkProject(db: Db, id: number): Promise<void> {
  const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) notFound('project', id)
}
