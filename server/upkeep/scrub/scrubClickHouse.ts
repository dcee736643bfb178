import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { name, sql } from '#server/platform/clickhouse/sql.ts'
import type { Print } from '#server/platform/nats/answerOrders.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { Damage } from './damage.ts'

/** A part of a table: files that the engine writes and reads together. */
type Part = { table: string; name: string; partition: string; rows: number }

/** A large part takes minutes alongside other queries. */
const maxSeconds = 4 * 3_600

/**
 * Reads all values of every part, whose blocks have checksums, and lists the parts that the engine set aside because it could
 * not open them. Names the storages that they belong to.
 */
export async function scrubClickHouse(clickhouse: ClickHouse, db: Db, say: Print): Promise<Damage[]> {
  const storages = await db.selectFrom('volumes').select(['id', 'name']).execute()
  const nameOf = new Map(storages.map((storage) => [String(storage.id), storage.name]))
  const setAside = await clickhouse.rows<Part & { reason: string }>(sql`
    SELECT table, name, partition_id AS partition, 0 AS rows, reason FROM system.detached_parts
    WHERE database = currentDatabase() AND reason LIKE 'broken%' ORDER BY table, name`)
  const damages = setAside.map((part) => damageOf(own(part), 'It could not be opened and was set aside', nameOf))
  const own = (part: Part): Part => ({ ...part, table: clickhouse.system.tableOf(part.table) ?? part.table })
  const parts = await clickhouse.rows<Part>(sql`
    SELECT table, name, partition, toFloat64(rows) AS rows FROM system.parts
    WHERE database = currentDatabase() AND active ORDER BY table, name`)
  for (const part of parts) {
    const reason = await readWhole(clickhouse, part)
    if (reason !== undefined) damages.push(damageOf(own(part), reason, nameOf))
  }
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  say(`ClickHouse: ${parts.length} parts with ${rows} rows read`)
  return damages
}

/** The reason why a part can't be read. One that was merged or removed meanwhile has no rows, and its successor is sound. */
const readWhole = (clickhouse: ClickHouse, { table, name: part }: Part): Promise<string | undefined> =>
  clickhouse
    .rows(sql`SELECT sum(cityHash64(*)) FROM ${name(table)} WHERE _part = ${part}`, {
      heavy: true,
      seconds: maxSeconds,
    })
    .then(() => undefined, messageOf)

/** The contents of a table in words, and the remedy if they are lost. */
const meanings: Record<string, { lost: string; remedy: string }> = {
  entries: { lost: 'files and folders of the newest snapshot', remedy: 'Run a full scan of the storage' },
  ended_rows: { lost: 'which files and folders left the newest snapshot', remedy: 'Restore a backup' },
  entry_history: { lost: 'files and folders of earlier snapshots', remedy: 'Restore a backup' },
  entry_tags: { lost: 'tags', remedy: 'Restore a backup' },
  volume_statistics: { lost: 'figures of snapshots', remedy: 'Restore a backup' },
  duplicate_groups: { lost: 'which files are duplicates', remedy: 'The next scan finds them again' },
  report_entries: { lost: 'results of report runs', remedy: 'Run the reports again' },
  selected_entries: { lost: 'selected files of jobs', remedy: 'Repeat the jobs' },
  acted_files: { lost: 'results of archive, restore and transfer jobs', remedy: 'Restore a backup' },
  file_contents: { lost: 'compared contents of files', remedy: 'Compare the contents again' },
  media_facts: { lost: 'facts of media files', remedy: 'The next scan has them read again' },
}
const unknown = { lost: 'data of work in progress', remedy: 'Repeat the scan' }

/** Tables whose partitions begin with the number of a storage. */
const byStorage = new Set(['entries', 'ended_rows', 'entry_history', 'volume_statistics', 'media_facts'])

function damageOf({ table, name, partition }: Part, reason: string, nameOf: Map<string, string>): Damage {
  const { lost, remedy } = meanings[table] ?? unknown
  const [, id = ''] = /^\(?(\d+)/.exec(partition) ?? []
  const storage = byStorage.has(table) ? ` of ${nameOf.get(id) ?? `storage ${id}`}` : ''
  return { place: `ClickHouse, table ${table}, part ${name}`, reason, lost: lost + storage, remedy }
}
