import { type ComparedEntry, type ComparedPage, comparedSorts } from '#events/browse.ts'
import type { PageQuery } from '#events/page.ts'
import { asEntries, asNumbers, entriesOf, entryColumns, type EntryRecord } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { sql } from '#server/platform/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import { type Change, changesBetween, inOrderOf, type Pair } from './changesBetween.ts'
import { childrenIn, shownIn } from './childrenIn.ts'

type Asked = PageQuery & { path: string; storages: number[]; showHiddenDirectories?: boolean }

/** A page of the children of a folder, each beside what it was before, with those that are gone. */
export async function compareChildren(
  clickhouse: ClickHouse,
  { now, before }: { now: Snapshot; before: Snapshot },
  kind: 'files' | 'folders',
  { page, size, path, storages, sort, direction = sort ? 'asc' : 'desc', showHiddenDirectories = true }: Asked,
): Promise<ComparedPage> {
  const by = comparedSorts.find((name) => name === (sort ?? 'size'))
  if (!by) return invalid('sort', `must be one of ${comparedSorts.join(', ')}`)
  const where = sql`(${childrenIn(path, kind)} AND ${shownIn(path, showHiddenDirectories)})`
  const pair = { now, before, storages, where }
  const { rows, total } = await clickhouse.limited<Change>(sql`
    SELECT leftPad(lower(hex(id)), 16, '0') AS fileId, isHere, isNew, delta FROM ${changesBetween(pair, by)}
    ORDER BY ${inOrderOf(direction)} LIMIT ${size} OFFSET ${(page - 1) * size}`)
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
  const [here, gone] = await Promise.all([
    readEntries(
      clickhouse,
      pair,
      'now',
      changes.filter(({ isHere }) => isHere),
    ),
    readEntries(
      clickhouse,
      pair,
      'before',
      changes.filter(({ isHere }) => !isHere),
    ),
  ])
  const entries = new Map([...here, ...gone].map((entry) => [entry.fileId, entry]))
  return changes.flatMap(({ fileId, isHere, isNew, delta }) => {
    const entry = entries.get(fileId)
    const size = isHere ? {} : { size: -1 }
    return entry ? [{ ...entry, ...size, delta, isCreated: isNew, isRemoved: !isHere }] : []
  })
}

/** The entries as one of the two snapshots has them. */
async function readEntries(clickhouse: ClickHouse, pair: Pair, side: 'now' | 'before', changes: Change[]) {
  if (changes.length === 0) return []
  const records = await clickhouse.rows<EntryRecord>(sql`
    SELECT ${entryColumns} FROM ${entriesOf(pair[side], pair.storages)}
    WHERE ${pair.where} AND file_id IN ${asNumbers(changes.map(({ fileId }) => fileId))}`)
  return asEntries(clickhouse, records, { snapshot: pair[side], deleted: side === 'before', quick: true })
}
