import { rowsBefore } from '#server/platform/crud/listPage.ts'
import { type ComparedEntry, type ComparedPage, comparedSorts } from '#events/folders/browse.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { asEntries, asNumbers, entryColumns, type EntryRecord } from '#server/content/entries/entryRecord.ts'
import { entriesOf } from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { endedWithin } from '#server/content/snapshots/reading/perVolume.ts'
import { withPrices } from '#server/content/snapshots/reading/costUnits.ts'
import type { ShownVolume } from '#server/content/snapshots/reading/snapshotAt.ts'
import { isSeenPath, withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import type { TwoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'
import { type Change, changesBetween, inOrderOf, type Pair } from './changesBetween.ts'
import { childrenIn, shownIn } from './childrenIn.ts'

type Query = PageQuery & { path: string; storages: number[]; showHiddenDirectories?: boolean }

/** A page of a folder's children, each with its previous state, including deleted ones. */
export async function compareChildren(
  { db, clickhouse }: Stores,
  snapshots: TwoSnapshots,
  kind: 'files' | 'folders',
  { page, size, path, storages, sort, direction = sort ? 'asc' : 'desc', showHiddenDirectories = true }: Query,
): Promise<ComparedPage> {
  const by = sort ?? 'size'
  checkSort(by, comparedSorts)
  const where = sql`(${childrenIn(path, kind)} AND ${shownIn(path, showHiddenDirectories)})`
  const [now, before] = await Promise.all([withPrices(db, snapshots.now, by), withPrices(db, snapshots.before, by)])
  const pair = { now, before, storages, where }
  const { rows, total } = await clickhouse.limited<Change>(sql`
    SELECT leftPad(lower(hex(id)), 16, '0') AS fileId, isHere, isNew, delta FROM ${changesBetween(pair, by)}
    ORDER BY ${inOrderOf(direction)} LIMIT ${size} OFFSET ${rowsBefore({ page, size })}`)
  return {
    elements: await asCompared(clickhouse, pair, rows),
    page,
    total,
    size,
    sort: by,
    direction,
    indexingDate: now.indexingDate || null,
    previousIndexingDate: before.indexingDate || null,
  }
}

async function asCompared(clickhouse: ClickHouse, pair: Pair, changes: Change[]): Promise<ComparedEntry[]> {
  const idsOf = (some: Change[]) => some.map(({ fileId }) => fileId)
  const goneIds = idsOf(changes.filter(({ isHere }) => !isHere))
  const [here, gone, losses] = await Promise.all([
    readEntries(clickhouse, pair, 'now', idsOf(changes.filter(({ isHere }) => isHere))),
    readEntries(clickhouse, pair, 'before', goneIds),
    lossesBetween(clickhouse, pair, goneIds),
  ])
  const entries = new Map([...here, ...gone].map((entry) => [entry.fileId, entry]))
  return changes.flatMap(({ fileId, isHere, isNew, delta }) => {
    const entry = entries.get(fileId)
    const size = isHere ? {} : { size: -1 }
    if (!entry) return []
    const isUnknown = pair.now.partial.has(entry.volumeId) || isAcross(pair, entry.volumeId)
    const loss = losses.get(fileId) ?? (isUnknown ? 'deleted' : undefined)
    return [{ ...entry, ...size, delta, isCreated: isNew, isRemoved: !isHere, deleted: !isHere && loss === 'deleted' }]
  })
}

/** True if one of the dates shows an import of the storage: no scans connect them. */
const isAcross = ({ now, before }: Pair, volumeId: number): boolean =>
  [...now.volumes, ...before.volumes].some((volume) => volume.volumeId === volumeId && volume.imported)

/** Reads the entries of one of the two snapshots. */
async function readEntries(clickhouse: ClickHouse, pair: Pair, side: 'now' | 'before', fileIds: string[]) {
  if (fileIds.length === 0) return []
  const records = await clickhouse.rows<EntryRecord>(sql`
    SELECT ${entryColumns} FROM ${entriesOf(pair[side], pair.storages)}
    WHERE ${pair.where} AND file_id IN ${asNumbers(fileIds)}`)
  return asEntries(clickhouse, records, { snapshot: pair[side], deleted: false, quick: true })
}

/**
 * Returns how entries missing in the later snapshot were lost: `deleted`, moved or excluded from scans. An entry that came to the same path
 * later and was lost too is another entry. To a caller who sees parts of a storage, an entry that left them was deleted.
 */
async function lossesBetween(clickhouse: ClickHouse, pair: Pair, fileIds: string[]): Promise<Map<string, string>> {
  if (fileIds.length === 0) return new Map()
  const before = new Map(pair.before.volumes.map(({ volumeId, scanId }) => [volumeId, scanId]))
  const then = ({ volumeId, scanId }: ShownVolume) => before.get(volumeId) ?? scanId
  const scanned = pair.now.volumes.filter(({ volumeId }) => !isAcross(pair, volumeId))
  const isSeen = isSeenPath(pair.now, sql`moved_to`) ?? sql`true`
  const rows = await clickhouse.rows<{ fileId: string; loss: string }>(
    sql`
      SELECT leftPad(lower(hex(file_id)), 16, '0') AS fileId,
        argMin(if(ended = 'moved' AND NOT ${isSeen}, 'deleted', toString(ended)), to_scan) AS loss FROM entry_history
      WHERE ${pair.where} AND ${withinScope(pair.before) ?? sql`1`} AND ${endedWithin(scanned, then, ({ scanId }) => scanId)}
        AND ended != 'changed' AND file_id IN ${asNumbers(fileIds)}
      GROUP BY file_id`,
    { quick: true },
  )
  return new Map(rows.map(({ fileId, loss }) => [fileId, loss]))
}
