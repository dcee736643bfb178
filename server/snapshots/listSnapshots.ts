import { sql } from 'kysely'
import type { Answer, Input } from '#events/endpoint.ts'
import { SnapshotSummary, type snapshotList } from '#events/snapshots.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const columns = Object.keys(SnapshotSummary.shape) as (keyof SnapshotSummary)[]

/** A page of the snapshots with what they hold, newest first unless told otherwise. */
export async function listSnapshots(
  db: Db,
  { page, size, sort = 'indexingDate', direction = 'desc' }: Input<typeof snapshotList>['query'],
): Promise<Answer<typeof snapshotList>> {
  checkSort(sort, columns)
  const elements = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select('snapshots.indexingDate')
    .select([
      sql<number>`count(*)`.as('volumes'),
      sql<boolean>`bool_or(scans.state = 'partial')`.as('isPartial'),
      sql<number>`sum(scans.bytes)`.as('sizeOfFiles'),
      sql<number>`sum(scans.files)`.as('numberOfFiles'),
      sql<number>`sum(scans.folders)`.as('numberOfFolders'),
    ])
    .groupBy('snapshots.indexingDate')
    .orderBy(sort === 'indexingDate' ? 'snapshots.indexingDate' : sort, direction)
    .orderBy('snapshots.indexingDate', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('snapshots')
    .select(({ fn }) => fn.count<number>('indexingDate').distinct().as('total'))
    .executeTakeFirstOrThrow()
  return { elements, page, total, size, sort, direction }
}
