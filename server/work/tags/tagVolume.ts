import type { EntrySelection } from '#server/content/entries/selectEntries.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { attachPartition, insertInto } from '#server/platform/clickhouse/statements.ts'
import {
  withTagsLocked,
  endOfDays,
  nextTagVersion,
  settledSnapshot,
  tagColumns,
} from '#server/content/snapshots/index.ts'
import { type ShownVolume, type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { emptyStaging } from './staging.ts'

/** The tags to add or remove, and the entries: the selection is evaluated for each storage and tag. */
export type TaggingOptions = {
  tags: readonly string[]
  remove: boolean
  isDirectory: boolean
  select: (snapshot: Snapshot) => Promise<SelectedEntries>
}
type SelectedEntries = Pick<EntrySelection, 'snapshot' | 'from' | 'where'>

/** Attempts for a storage whose scans end while it is tagged. */
const defaultMaxTries = 10

/**
 * Adds or removes tags on all results of a search in one storage. They are collected in a separate table, without
 * waiting for other changes: of concurrent ones the later counts for each entry. A search may depend on the same tags:
 * all rows become visible at once, so no search sees a part, even after an interruption. A scan that ends meanwhile may
 * have moved entries: then it starts again. Repeating it changes nothing. Throws if scans keep ending.
 */
export async function tagVolume(
  stores: Stores,
  tagging: TaggingOptions,
  volumeId: number,
  staging: Sql,
  maxTries = defaultMaxTries,
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const shown = shownIn(await settledSnapshot(stores, 'everything', [volumeId]), volumeId)
    if (!shown) return
    await stageTags(stores, tagging, volumeId, staging)
    if (await attachTags(stores, volumeId, shown, staging)) return
  }
  throw new Error(`Scans kept changing storage ${volumeId} while it was tagged. Try again later.`)
}

const shownIn = ({ volumes }: Snapshot, volumeId: number): ShownVolume | undefined =>
  volumes.find((volume) => volume.volumeId === volumeId)

/** Unless a scan has ended since: tags of entries moved later wait for these and follow the move with them. */
const attachTags = (stores: Stores, volumeId: number, before: ShownVolume, staging: Sql): Promise<boolean> =>
  withTagsLocked(stores, 'everything', [volumeId], async (_, snapshot) => {
    const now = shownIn(snapshot, volumeId)
    if (now?.scanId !== before.scanId || now.committedScan !== before.committedScan) return false
    await stores.clickhouse.change(attachPartition('entry_tags', 'tuple()', staging))
    return true
  })

async function stageTags(stores: Stores, tagging: TaggingOptions, volumeId: number, staging: Sql): Promise<void> {
  const { db, clickhouse } = stores
  await emptyStaging(stores, staging)
  for (const tag of tagging.tags) {
    const snapshot = await snapshotAt(db, 'everything')
    if (!snapshot) return
    const selection = await tagging.select(snapshot)
    const version = await nextTagVersion(db)
    const rows = (tagging.remove ? ended : begun)(selection, {
      tag,
      volumeId,
      version,
      isDirectory: tagging.isDirectory,
    })
    await clickhouse.change(insertInto(staging, sql`${rows} ${settings}`, tagColumns))
  }
}

type TagChange = { tag: string; volumeId: number; version: number; isDirectory: boolean }

/** Entries that already have the tag keep it unchanged. */
const begun = (selection: SelectedEntries, one: TagChange): Sql => sql`
  SELECT ${one.tag}, ${one.volumeId}, found.parent_path, found.name, ${one.isDirectory},
    toDate(${selection.snapshot.indexingDate}), toDate(${endOfDays}), ${one.version}
  FROM ${entriesIn(selection, one)} AS found
  LEFT JOIN (
    SELECT DISTINCT parent_path, name, true AS here FROM ${periods(one)}
    WHERE from_date <= ${selection.snapshot.indexingDate} AND to_date = ${endOfDays}
  ) AS known ON found.parent_path = known.parent_path AND found.name = known.name
  WHERE NOT known.here`

/** Tags of earlier days stay unchanged on those days. */
const ended = (selection: SelectedEntries, one: TagChange): Sql => sql`
  SELECT ${one.tag}, ${one.volumeId}, known.parent_path, known.name, ${one.isDirectory},
    known.from_date, greatest(known.from_date, toDate(${selection.snapshot.indexingDate})), ${one.version}
  FROM (
    SELECT * FROM ${periods(one)} WHERE to_date > ${selection.snapshot.indexingDate} AND to_date > from_date
  ) AS known
  INNER JOIN ${entriesIn(selection, one)} AS found ON known.parent_path = found.parent_path AND known.name = found.name`

const entriesIn = ({ from, where }: SelectedEntries, { volumeId }: TagChange): Sql =>
  sql`(SELECT parent_path, name FROM ${from} WHERE volume = ${volumeId} AND ${where})`

const periods = ({ tag, volumeId, isDirectory }: TagChange): Sql => sql`(
  SELECT * FROM entry_tags FINAL WHERE tag = ${tag} AND volume = ${volumeId} AND is_directory = ${isDirectory})`

/** Both sides are read in the order of their keys, so memory doesn't grow with the results. */
const settings = text(`SETTINGS join_algorithm = 'full_sorting_merge', max_threads = 2, max_insert_threads = 2,
  max_bytes_before_external_sort = 268435456`)
