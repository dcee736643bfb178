import { sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { SnapshotSummary, type snapshotList } from '#events/snapshots.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { importsOfDate, isPartial, withImports } from './imported.ts'

const columns = Object.keys(SnapshotSummary.omit({ imports: true }).shape) as (keyof Omit<SnapshotSummary, 'imports'>)[]

/** A page of the snapshots with their contents, newest first by default. */
export async function listSnapshots(
  db: Db,
  query: Input<typeof snapshotList>['query'],
): Promise<Answer<typeof snapshotList>> {
  const page = await listPage(
    db,
    db
      .selectFrom('snapshots')
      .innerJoin('scans', 'scans.id', 'snapshots.scanId')
      .select('snapshots.indexingDate')
      .select([
        sql<number>`count(*)`.as('volumes'),
        sql<boolean>`bool_or(${isPartial})`.as('isPartial'),
        importsOfDate,
        sql<number>`sum(scans.bytes)`.as('sizeOfFiles'),
        sql<number>`sum(scans.files)`.as('numberOfFiles'),
        sql<number>`sum(scans.folders)`.as('numberOfFolders'),
      ])
      .groupBy('snapshots.indexingDate'),
    query,
    { sortable: columns, sort: 'indexingDate', direction: 'desc', tie: 'snapshots.indexingDate' },
  )
  return { ...page, elements: page.elements.map(withImports) }
}
