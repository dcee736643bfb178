import { sql } from 'kysely'
import type { ImportRecord, ImportSummary } from '#events/imports/imports.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

const nothingRead: ImportSummary = {
  counts: null,
  missing: [],
  unreadableLines: { count: 0, lines: [] },
  comparison: null,
}

const selectImports = (db: Db | Trx) =>
  db
    .selectFrom('imports')
    .innerJoin('volumes', 'volumes.id', 'imports.volumeId')
    .select(['imports.id', 'volumeId as storageId', 'volumes.name as storageName', 'indexingDate as date', 'format'])
    .select(['fileName', 'imports.state', 'reason', 'imports.createdAt', 'readBytes', 'summary'])
    .select(
      sql<boolean>`imports.state != 'COMMITTED' AND EXISTS (
        SELECT FROM snapshots AS shown JOIN scans ON scans.id = shown.scan_id
        WHERE shown.volume_id = imports.volume_id AND shown.indexing_date = imports.indexing_date
          AND scans.indexing_date = shown.indexing_date)`.as('replaces'),
    )

const asRecord = ({
  createdAt,
  summary,
  ...row
}: Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number]): ImportRecord => ({
  ...row,
  createdAt: createdAt.toISOString(),
  ...(summary ?? nothingRead),
})

/** The imports of a storage, or of all, newest first. */
export const listImports = async (db: Db, storageId?: number): Promise<ImportRecord[]> =>
  (
    await selectImports(db)
      .$if(storageId !== undefined, (query) => query.where('volumeId', '=', storageId ?? 0))
      .orderBy('imports.id', 'desc')
      .execute()
  ).map(asRecord)

/** Throws 404. */
export async function importRecord(db: Db | Trx, id: number): Promise<ImportRecord> {
  const row = await selectImports(db).where('imports.id', '=', id).executeTakeFirst()
  return row ? asRecord(row) : notFound('import', id)
}
