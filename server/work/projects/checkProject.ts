import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

export async function checkProject(db: Db, id: number): Promise<void> {
  const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) notFound('project', id)
}
