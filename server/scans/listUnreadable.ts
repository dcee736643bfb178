import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

/** A page of what a scan could not read, in the order of the paths. Throws 404 when there is no such scan. */
export async function listUnreadable(
  db: Db,
  scanId: number,
  { page, size, sort = 'path', direction = 'asc' }: PageQuery,
) {
  checkSort(sort, ['path', 'error'])
  const scan = await db.selectFrom('scans').select('id').where('id', '=', scanId).executeTakeFirst()
  if (!scan) return notFound('scan', scanId)
  const ofScan = db.selectFrom('scanUnreadable').where('scanId', '=', scanId)
  const elements = await ofScan
    .select(['path', 'error'])
    .orderBy(sort, direction)
    .orderBy('path')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await ofScan.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { elements, page, size, total, sort, direction }
}
