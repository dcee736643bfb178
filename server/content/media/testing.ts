import type { MediaFacts } from '#events/media/facts.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { contentKey } from './contentKey.ts'

/** Stores facts of the newest files with this name or path, as if an agent had read them. */
export async function readMedia(
  { db, clickhouse }: Pick<Stores, 'db' | 'clickhouse'>,
  name: string,
  { texts = {}, numbers = {}, details = { tracks: [], chapters: [] } }: Partial<MediaFacts>,
  failure = '',
): Promise<void> {
  const snapshot = await snapshotOrEmpty(db, 'everything')
  await clickhouse.command(
    insertInto(
      'media_facts',
      sql`
        SELECT volume, ${contentKey}, now64(3), ${failure}, ${mapOf(texts, 'String')},
          ${mapOf(numbers, 'Float64')}, ${JSON.stringify(details)}
        FROM ${entriesAt(snapshot)} WHERE ${name} IN (name, concat(parent_path, name)) AND NOT is_directory`,
    ),
  )
}

const mapOf = (values: object, type: string) =>
  sql`mapFromArrays(${typed(Object.keys(values), 'Array(String)')}, ${typed(Object.values(values), `Array(${type})`)})`
