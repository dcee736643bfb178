import { sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { SnapshotSummary, type snapshotList } from '#events/snapshots.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

const columns = Object.keys(SnapshotSummary.shape) as (keyof SnapshotSummary)[]

/** A page of the snapshots with their contents, newest first by default. */
export const listSnapshots = (
  db: Db,
  query: Input<typeof snapshotList>['query'],
): Promise<Answer<typeof snapshotList>> =>
  listPage(
    db,
    db
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
      .groupBy('snapshots.indexingDate'),
    query,
    { sortable: columns, sort: 'indexingDate', direction: 'desc', tie: 'snapshots.indexingDate' },
  )
