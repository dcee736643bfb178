import { withVersionsKept } from '#server/content/snapshots/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { FrozenSelection } from './freezeSelection.ts'
import { nextSelectionId, rowsOfSelection } from './rows.ts'

/** The files of an owner: neighbors in the selection, from a position on. */
export type OwnedFiles = { owner: string; firstPosition: number; files: number; bytes: number }

/**
 * Copies the files of a selection that are not left out, in the order of their owners at its snapshot, and keeps the copy until a time: neither
 * later scans nor the end of the other selection change it. Returns its number and the owners; files without one have the owner ''.
 */
export async function copyByOwner(
  stores: Stores,
  { id: source, indexingDate, scans, hash, missing, createdBy }: FrozenSelection,
  keptUntil: Date,
): Promise<{ id: number; owners: OwnedFiles[] }> {
  const { db, clickhouse } = stores
  const id = await nextSelectionId(db)
  const { from, where } = rowsOfSelection(source)
  await withVersionsKept(db, async () => {
    const snapshot = await snapshotOrEmpty(db, 'everything', indexingDate ?? undefined)
    const rows = sql`
      SELECT ${id}, row_number() OVER (ORDER BY owner, position), volume, parent_path, name, false, size, modified, owner, 0, inode, links
      FROM (
        SELECT position, volume, parent_path, name, size, modified, known.owner AS owner, known.inode AS inode, known.link_count AS links
        FROM (SELECT * FROM ${from} WHERE ${where} AND left_out = '' AND NOT is_directory) AS kept
        LEFT JOIN (SELECT volume, parent_path, name, owner, inode, link_count FROM ${entriesAt(snapshot)} WHERE NOT is_directory) AS known
          ON kept.volume = known.volume AND kept.parent_path = known.parent_path AND kept.name = known.name)
      ${settings}`
    await clickhouse.change(insertInto('selected_entries', rows, columns))
  })
  const owners = await clickhouse.rows<OwnedFiles>(
    sql`
      SELECT place AS owner, min(position) AS firstPosition, toFloat64(count()) AS files, sum(toFloat64(greatest(size, 0))) AS bytes
      FROM selected_entries WHERE ${rowsOfSelection(id).where} GROUP BY place ORDER BY firstPosition`,
    { heavy: true },
  )
  const sum = (of: 'files' | 'bytes') => owners.reduce((total, { [of]: count }) => total + count, 0)
  const copy = { id, createdBy, indexingDate, hash, missing, keptUntil, scans: JSON.stringify(scans) }
  await db
    .insertInto('selections')
    .values({ ...copy, files: sum('files'), folders: 0, bytes: sum('bytes') })
    .execute()
  return { id, owners }
}

const columns =
  'selection, position, volume, parent_path, name, is_directory, size, modified, place, part, inode, links'

/** Both sides are read in the order of their keys, so memory doesn't grow with the files. */
const settings = text(`SETTINGS join_algorithm = 'full_sorting_merge', max_threads = 2, max_insert_threads = 1,
  max_bytes_before_external_sort = 268435456`)
