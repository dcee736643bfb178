import { sql as postgres } from 'kysely'
import type { ImportOrigin } from '#events/imports/formats.ts'
import { scanTableName, tablesOf } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { removeRows } from '#server/platform/clickhouse/statements.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'
import { withDuplicatesLock, withVolumeLock } from '#server/content/snapshots/locks.ts'
import { attributeNames } from '#server/content/snapshots/reading/attributes.ts'
import { markUnshown } from '#server/content/snapshots/retention/deleteSnapshot.ts'
import { type Commit, isOfImport, type StagedCommit } from '#server/content/snapshots/commit/commit.ts'
import { countStatistics } from '#server/content/snapshots/commit/countStatistics.ts'
import { dropScanTables } from '#server/content/snapshots/commit/leftovers.ts'
import { datesLeftTo, plannedImport, type StagedImport } from './plannedImport.ts'
import { readOutcome, readTotals, type Totals } from '#server/content/snapshots/commit/readOutcome.ts'
import {
  addFolders,
  countStaged,
  newFiles,
  newFolders,
  readSharedEtags,
  rollUp,
} from '#server/content/snapshots/commit/rollUp.ts'
import { lockShown, type Outcome } from '#server/content/snapshots/commit/switchOver.ts'

/** Adds folders that only paths name, and rolls all up; returns the totals, and the files for use in a FROM. It can be repeated. */
export async function rollUpImport(stores: Stores, staged: StagedImport): Promise<{ totals: Totals; files: Sql }> {
  const commit = await stagedCommit(stores, staged)
  await rollUp(commit)
  return { totals: await readTotals(commit), files: newFiles(commit) }
}

/** The commit of a first scan: nothing is compared with it. */
async function stagedCommit({ db, clickhouse }: Stores, { id, volumeId, indexingDate }: StagedImport) {
  const commit: Commit = {
    clickhouse,
    db,
    scan: { id, scannedPath: '', indexingDate, cloneIndex: true, updatesAccess: null },
    volume: {
      id: volumeId,
      committedScan: null,
      generation: null,
      layers: [],
      ignoredPaths: [],
      indexFolderOnlyPaths: [],
    },
    generation: 0,
    scannedAt: Math.floor(Date.now() / 1000),
    accessesMakeVersions: false,
  }
  await clickhouse.settle(scanTableName('staging', id))
  await addFolders(clickhouse, tablesOf(id))
  const rows = await countStaged(commit)
  const sharedEtags = await readSharedEtags(commit, rows)
  return { ...commit, staged: { hasSame: false, hasCompared: true, rows, sharedEtags } } satisfies StagedCommit
}

/**
 * Makes an import the snapshot of its day, and of later days that show an older state of the storage. Its entries are versions that only
 * its own number shows. Nothing is visible before one transaction, in which `switched` runs too; if interrupted, call it again.
 */
export async function commitImport(
  { db, clickhouse }: Stores,
  staged: StagedImport,
  origin: ImportOrigin,
  switched: (trx: Trx, madeDate: boolean) => Promise<void>,
): Promise<void> {
  const { id, volumeId } = staged
  await withVolumeLock(db, volumeId, async (held) => {
    if (!(await isCommitted(held, id))) {
      await checkOlder(held, staged)
      const commit = await stagedCommit({ db: held, clickhouse }, staged)
      await rollUp(commit)
      await writeRows(commit)
      const written = { volumeId, importedAs: id }
      const totals = await readTotals(commit)
      await countStatistics(commit, totals.files, written)
      const outcome = await readOutcome(commit, totals, written)
      await withDuplicatesLock(held, () => switchImport(commit, outcome, origin, switched))
    }
    await dropScanTables(clickhouse, id)
  })
}

/** Throws 409 if the storage was scanned on the day or before it: its newest state is that of its last scan. */
export async function checkOlder(db: Db, { volumeId, indexingDate }: Omit<StagedImport, 'id'>): Promise<void> {
  const scan = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'committedScan')
    .select(['volumes.name', 'scans.indexingDate'])
    .where('volumes.id', '=', volumeId)
    .where('scans.indexingDate', '<=', indexingDate)
    .executeTakeFirst()
  if (scan) conflict(`${scan.name} was scanned on ${scan.indexingDate}. Only earlier days can be imported.`)
}

const isCommitted = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('scans').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

async function writeRows(commit: StagedCommit): Promise<void> {
  const { clickhouse, scan, volume } = commit
  await removeImportedRows(clickhouse, volume.id, scan.id)
  for (const found of [newFiles(commit), newFolders(commit)])
    await insertFrom(
      clickhouse,
      'entry_history',
      sql`
      SELECT ${volume.id}, ${scan.id}, ${scan.id + 1}, 'changed', '', parent_path, name, is_directory, '', ${text(attributeNames())}
      FROM (SELECT * FROM ${found})`,
      `volume, from_scan, to_scan, ended, moved_to, parent_path, name, is_directory, previous_path, ${attributeNames()}`,
    )
}

/** Removes the rows of a commit that was interrupted and will not be repeated. */
export async function removeImportedRows(clickhouse: ClickHouse, volumeId: number, id: number): Promise<void> {
  const left = isOfImport(volumeId, id)
  const { rows } = await clickhouse.one<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM entry_history WHERE ${left}`,
  )
  if (rows > 0)
    await clickhouse.command(
      removeRows('entry_history', sql`volume = ${volumeId} AND from_scan = ${id} AND to_scan = ${id + 1}`),
    )
}

/** The scan of an import has no job, agent or task; numbers of tasks are unique. */
const noJob = 0

async function switchImport(
  commit: Commit,
  { scanId, volumeId, notEntered, state: _, ...totals }: Outcome,
  origin: ImportOrigin,
  switched: (trx: Trx, madeDate: boolean) => Promise<void>,
): Promise<void> {
  const { planned, madeDate } = await plannedImport(commit)
  const { indexingDate } = commit.scan
  await inTransaction(commit.db, async (trx) => {
    const shown = await lockShown(trx, planned)
    await postgres`
      INSERT INTO scans (id, volume_id, job_id, task_id, agent_id, state, indexing_date, imported, place_scan, finished_at)
      OVERRIDING SYSTEM VALUE
      SELECT ${scanId}, ${volumeId}, ${noJob}, ${-scanId}, 0, 'imported', ${indexingDate}, ${JSON.stringify(origin)}, coalesce(max(id), 0), now()
      FROM scans WHERE volume_id = ${volumeId} AND imported IS NULL AND indexing_date <= ${indexingDate}`.execute(trx)
    await trx
      .updateTable('scans')
      .set({ ...totals, notEntered: JSON.stringify(notEntered) })
      .where('id', '=', scanId)
      .execute()
    await trx
      .insertInto('snapshots')
      .values(shown)
      .onConflict((on) => on.columns(['indexingDate', 'volumeId']).doUpdateSet({ scanId: postgres`excluded.scan_id` }))
      .execute()
    // A date that showed a scan shows the import instead.
    await markUnshown(trx, [volumeId])
    await switched(trx, madeDate)
  })
}

/**
 * Removes an import from all dates that show it: they show the state before it again, if they only repeated that one, or lack the storage. A date that the
 * import made is removed. Its rows are removed later, as of any deleted snapshot.
 */
export const undoImport = (
  db: Db,
  undone: StagedImport & { madeDate: boolean },
  also: (trx: Trx) => Promise<void>,
): Promise<void> =>
  db.connection().execute((held) =>
    withDuplicatesLock(held, () =>
      inTransaction(held, async (trx) => {
        await datesLeftTo(trx, undone)
        await also(trx)
      }),
    ),
  )
