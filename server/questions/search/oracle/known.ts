import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'

/** A tag of an entry from one day (inclusive) to another (exclusive). */
export type Tag = { volumeId: number; key: string; tag: string; from: string; to: string }

/** An entry as a date should show it, with everything that queries use. */
export type KnownEntry = {
  volumeId: number
  volumeName: string
  scannedOn: string
  key: string
  row: Row
  path: string
  deleted: boolean
  dupe: boolean
  tags: string[]
}

/** Everything that a date should show and list as deleted, by plain loops. */
export function knownAt(history: History, tags: Tag[], date: string, deletedDays: number): KnownEntry[] {
  const states = history.dates.get(date) ?? []
  const known: KnownEntry[] = []
  for (const { volumeId, name: volumeName, scannedOn, rows, gone } of states) {
    const tagsOf = (key: string) =>
      tags
        .filter((each) => each.volumeId === volumeId && each.key === key && each.from <= date && date < each.to)
        .map(({ tag }) => tag)
    const about = (key: string, row: Row, deleted: boolean): KnownEntry => ({
      volumeId,
      volumeName,
      scannedOn,
      key,
      row,
      path: row.parentPath + row.name,
      deleted,
      dupe: false,
      tags: [...new Set(tagsOf(key))].sort(),
    })
    for (const [key, row] of rows) if (row.parentPath !== '') known.push(about(key, row, false))
    const lately = gone.filter(({ on }) => daysBetween(on, date) < deletedDays)
    const last = new Map(lately.map((each) => [each.key, each]))
    for (const { key, row } of last.values()) if (!rows.has(key)) known.push(about(key, row, true))
  }
  const roots = states.flatMap(({ rows }) => [...rows.values()].filter(({ parentPath }) => parentPath === ''))
  markCopies(known, roots)
  return known
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

function markCopies(known: KnownEntry[], roots: Row[]): void {
  const present = [...known.filter(({ deleted }) => !deleted).map(({ row }) => row), ...roots]
  const copies = Map.groupBy(present, identity)
  for (const entry of known) {
    const same = identity(entry.row)
    entry.dupe = same !== undefined && (copies.get(same)?.length ?? 0) > 1
  }
}

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** The number of each current or past entry, by volume and key, which loops can't compute. */
export async function readFileIds({ db, clickhouse }: Stores): Promise<Map<string, string>> {
  const now = await snapshotOrEmpty(db, 'everything')
  const read = (from: Sql) =>
    clickhouse.rows<{ id: string; volume: number; parent: string; name: string; isDirectory: boolean }>(sql`
      SELECT leftPad(lower(hex(file_id)), 16, '0') AS id, volume, parent_path AS parent, name,
        is_directory AS isDirectory FROM ${from}`)
  const rows = [...(await read(entriesAt(now))), ...(await read(sql`entry_history`))]
  return new Map(
    rows.map((row) => [`${row.volume} ${JSON.stringify([row.parent, row.name, row.isDirectory])}`, row.id]),
  )
}

/** Tags entries from a day on, without end. */
export async function insertTags({ clickhouse }: Stores, tags: Tag[]): Promise<void> {
  for (const { volumeId, key, tag, from, to } of tags) {
    const [parent, name, isDirectory] = JSON.parse(key) as [string, string, boolean]
    await clickhouse.command(sql`
      INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
      SELECT ${tag}, ${volumeId}, ${parent}, ${name}, ${isDirectory}, toDate(${from}), toDate(${to}), 1`)
  }
}

/** The hashes shared by copies, by the attributes that identify copies. */
export async function readHashes({ db, clickhouse }: Stores): Promise<Map<string, string>> {
  const now = await snapshotOrEmpty(db, 'everything')
  const read = (from: Sql) =>
    clickhouse.rows<Row & { hash: string }>(sql`
      SELECT leftPad(lower(hex(identification_hash)), 16, '0') AS hash, is_directory AS isDirectory, parent_path AS parentPath, name, size,
        toUnixTimestamp(created) AS created, toUnixTimestamp(modified) AS modified, files, folders
      FROM ${from} WHERE identification_hash != 0`)
  const rows = [...(await read(entriesAt(now))), ...(await read(sql`entry_history`))]
  return new Map(rows.map((row) => [identity(row) ?? '', row.hash]))
}
