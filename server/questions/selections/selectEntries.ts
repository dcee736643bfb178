import { keyOf, keysAbove } from '#server/platform/clickhouse/paths.ts'
import type { Selection } from '#events/selections.ts'
import { below } from '#server/content/entries/conditions.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { selectBySearch } from '#server/questions/search/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { EntryRows } from './countEntries.ts'
import type { Listing } from './listing.ts'

type Search = Exclude<Selection, { entries: unknown }>

/** The results of a search in a snapshot. */
export async function selectSearch(stores: Stores, snapshot: Snapshot, search: Search): Promise<EntryRows> {
  const { from, where } = await selectBySearch(stores, snapshot, search)
  return { from, where }
}

/** The files among the results of a search and below them; no deleted ones. */
export async function selectFilesOfSearch(stores: Stores, snapshot: Snapshot, search: Search): Promise<EntryRows> {
  const { from, where, deleted } = await selectBySearch(stores, snapshot, search)
  if (deleted === true) return { from, where: sql`0` }
  const existing = deleted === 'each' ? sql`${where} AND NOT is_deleted` : where
  if (!search.isDirectory) return { from, where: existing }
  return {
    from: entriesAt(snapshot),
    where: sql`NOT is_directory AND ${areBelow(snapshot, { from, where: existing })}`,
  }
}

/** The listed entries that a snapshot has. */
export const selectListed = (snapshot: Snapshot, listing: Listing): EntryRows => ({
  from: entriesAt(ofListing(snapshot, listing)),
  where: areListed(listing),
})

/** The files that are listed or below listed folders. */
export function selectFilesOfListed(snapshot: Snapshot, listing: Listing): EntryRows {
  const limited = ofListing(snapshot, listing)
  const folders = listing.entries.filter(({ isDirectory }) => isDirectory)
  const inFolders =
    folders.length > maxConditions
      ? areBelow(limited, { from: listing.from, where: sql`${listing.where} AND is_directory` })
      : join(
          folders.map(({ volumeId, path }) => sql`(volume = ${volumeId} AND ${below(path)})`),
          ' OR ',
          '0',
        )
  return { from: entriesAt(limited), where: sql`NOT is_directory AND (${areListed(listing)} OR ${inFolders})` }
}

/** Number of folders up to which a condition for each is faster, because the engine finds them by their key. */
const maxConditions = 20

const ofListing = (snapshot: Snapshot, { entries }: Listing): Snapshot =>
  inStorages(snapshot, [...new Set(entries.map(({ volumeId }) => volumeId))])

const areListed = ({ from, where }: EntryRows): Sql => sql`
  (volume, parent_path, name, is_directory) IN (
    SELECT volume, parent_path, name, is_directory FROM ${from} WHERE ${where})`

/** Condition: an entry is below one of these folders. Folders may be nested. */
function areBelow(snapshot: Snapshot, folders: EntryRows): Sql {
  const path = sql`concat(parent_path, name, '/')`
  const given = sql`SELECT volume, ${keyOf(path)} FROM ${folders.from} WHERE ${folders.where}`
  return sql`
    (volume, parent_path) IN (
      SELECT volume, ${path} FROM ${entriesAt(snapshot)}
      WHERE is_directory AND arrayExists(key -> (volume, key) IN (${given}), ${keysAbove(path)}))`
}
