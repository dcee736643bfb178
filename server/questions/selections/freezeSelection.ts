import type { Selectable } from 'kysely'
import type { Selection } from '#events/selections.ts'
import { storedBytes } from '#events/scans/entryLimits.ts'
import type { LimitedScope, Scope } from '#server/platform/callers/scope.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { all, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { settledSnapshot, withVersionsKept } from '#server/content/snapshots/index.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { isShownIn, withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import { snapshotColumns } from '#server/content/snapshots/reading/entriesAt.ts'
import { countColumns, type EntryCounts, type EntryRows, readsEverything } from './countEntries.ts'
import { countMissing, withListing } from './listing.ts'
import { dropRows, nextSelectionId, rowsOfSelection } from './rows.ts'
import { selectFilesOfListed, selectFilesOfSearch, selectListed, selectSearch } from './selectEntries.ts'

/** A frozen selection: its snapshot, its totals, and the hash of its rows. */
export type FrozenSelection = Selectable<Tables['selections']>

/**
 * Expressions of an action for each entry: the number of its part, its path in an external system, and the reason why
 * it is left out, empty otherwise. They may use the columns of an entry, its `path` and its `position`. `only` is a condition on the entries
 * to select, besides the selection itself.
 */
export type SelectionPlan = { part?: Sql; place?: Sql; leftOut?: Sql; only?: Sql }

export type FreezeOptions = {
  selection: Selection
  /** The day of the snapshot; the newest by default. */
  at?: string | undefined
  by: Actor
  /** Entries outside of this scope are not selected, nor are the folders above it. */
  scope: Scope
  /** Entries outside of this one are not selected either. */
  within?: LimitedScope | undefined
  /** Freezes this selection again; its rows are replaced. */
  id?: number | undefined
  /** Replaces folders by all files below them. Deleted entries are left out. */
  expandFolders?: boolean
  plan?: (snapshot: Snapshot) => SelectionPlan | Promise<SelectionPlan>
}

/**
 * Evaluates a selection once, and stores its entries in order: by volume, folder and name, each once. Listed entries
 * that the snapshot doesn't have are counted as missing. Throws 400 for an invalid regular expression.
 */
export async function freezeSelection(stores: Stores, options: FreezeOptions): Promise<FrozenSelection> {
  const id = options.id ?? (await nextSelectionId(stores.db))
  const written = await withVersionsKept(stores.db, async () => {
    const snapshot = await readSnapshot(stores, options)
    return { snapshot, missing: await writeSelection(stores, id, snapshot, options) }
  })
  const { snapshot, missing } = written
  const basis = { indexingDate: snapshot.indexingDate || null, scans: scansOf(snapshot), missing }
  return saveSelection(stores, id, basis, options.by)
}

/** The snapshot of a day. The tags of the newest one may still have to follow moves. */
async function readSnapshot(stores: Stores, { at, scope }: FreezeOptions): Promise<Snapshot> {
  const newest = await settledSnapshot(stores, scope)
  return at === undefined || at >= newest.indexingDate ? newest : snapshotOrEmpty(stores.db, scope, at)
}

/** Writes the rows, and returns the number of missing entries. */
async function writeSelection(
  stores: Stores,
  id: number,
  snapshot: Snapshot,
  { selection, expandFolders, plan, within }: FreezeOptions,
): Promise<number> {
  const shown = [withinScope(snapshot), within && isShownIn(within, snapshot.volumes)].filter(
    (one) => one !== undefined,
  )
  const insert = async ({ from, where }: EntryRows) =>
    insertRows(stores, id, { from, where: all([where, ...shown]) }, (await plan?.(snapshot)) ?? {})
  if ('entries' in selection)
    return withListing(stores, selection.entries, async (listing) => {
      const listed = selectListed(snapshot, listing)
      await insert(expandFolders ? selectFilesOfListed(snapshot, listing) : listed)
      return countMissing(stores, listing, listed)
    })
  await insert(await (expandFolders ? selectFilesOfSearch : selectSearch)(stores, snapshot, selection))
  return 0
}

async function insertRows(
  { clickhouse }: Stores,
  id: number,
  { from, where }: EntryRows,
  { part = sql`0`, place = sql`''`, leftOut = sql`''`, only }: SelectionPlan,
): Promise<void> {
  await dropRows(clickhouse, id)
  const rows = sql`
    SELECT ${id}, position, volume, parent_path, name, is_directory, size, last_modified, ${part}, ${place}, ${leftOut}, inode, link_count
    FROM (
      SELECT *, row_number() OVER (ORDER BY volume, parent_path, name, is_directory) AS position
      FROM (SELECT ${snapshotColumns}, concat(parent_path, name) AS path FROM ${from} WHERE ${all([where, ...(only ? [only] : [])])}))
    ${settings}`
  await clickhouse.change(insertInto('selected_entries', rows, columns))
}

const columns =
  'selection, position, volume, parent_path, name, is_directory, size, modified, part, place, left_out, inode, links'

/**
 * Freezes some rows of a selection as another one of the same snapshot, with a new part and reason for each; both may use the columns of
 * `selected_entries`.
 */
export async function freezeAgain(
  stores: Stores,
  { id: source, indexingDate, scans }: Pick<FrozenSelection, 'id' | 'indexingDate' | 'scans'>,
  { part, leftOut, only, by }: Required<Pick<SelectionPlan, 'part' | 'leftOut' | 'only'>> & { by: Actor },
): Promise<FrozenSelection> {
  const id = await nextSelectionId(stores.db)
  const { from, where } = rowsOfSelection(source)
  const rows = sql`
    SELECT ${id}, row_number() OVER (ORDER BY position), volume, parent_path, name, is_directory, size, modified, ${part}, place, ${leftOut},
      inode, links FROM ${from} WHERE ${where} AND ${only} ${settings}`
  await stores.clickhouse.change(insertInto('selected_entries', rows, columns))
  return saveSelection(stores, id, { indexingDate, scans, missing: 0 }, by)
}

/** Rows are sorted on disk if they need more memory than this, in bytes. */
const settings = text(`SETTINGS max_threads = 2, max_insert_threads = 1, max_bytes_before_external_sort = 268435456`)

async function saveSelection(
  { db, clickhouse }: Stores,
  id: number,
  { scans, ...basis }: Pick<FrozenSelection, 'indexingDate' | 'scans' | 'missing'>,
  by: Actor,
): Promise<FrozenSelection> {
  const summary = await summarize(clickhouse, id)
  const row = {
    createdBy: by.name,
    ...basis,
    scans: JSON.stringify(scans),
    ...summary,
    bytes: storedBytes(summary.bytes),
  }
  return db
    .insertInto('selections')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, createdAt: new Date() }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The scan of each volume of a snapshot. */
export const scansOf = ({ volumes }: Snapshot): Record<string, number> =>
  Object.fromEntries(volumes.map(({ volumeId, scanId }) => [volumeId, scanId]))

/**
 * Text of a row, unambiguous because of the lengths in bytes: `<position> <volume> <1 for a folder> <size> <modified,
 * seconds> <part> <length of path> <length of place> <path><place><left out>`.
 */
const rowText = sql`concat(
  toString(position), ' ', toString(volume), ' ', toString(toUInt8(is_directory)), ' ', toString(size), ' ',
  toString(toUnixTimestamp(modified)), ' ', toString(part), ' ', toString(length(path)), ' ', toString(length(place)), ' ',
  path, place, toString(left_out))`

/**
 * Totals of a selection, and a hash of its exact rows in order. The hash is the sum of the SHA-256 of each row's text,
 * read as little-endian numbers, modulo 2^256, in hexadecimal. The engine can add in any order, since each text has its
 * position.
 */
async function summarize(clickhouse: ClickHouse, id: number): Promise<EntryCounts & { hash: string }> {
  const { from, where } = rowsOfSelection(id)
  return clickhouse.one<EntryCounts & { hash: string }>(
    sql`
      SELECT ${countColumns}, leftPad(lower(hex(sum(reinterpretAsUInt256(SHA256(${rowText}))))), 64, '0') AS hash
      FROM ${from} WHERE ${where}`,
    readsEverything,
  )
}
