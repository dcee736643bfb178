import { randomUUID } from 'node:crypto'
import type { Platform } from '#server/platform/platform.ts'
import { name, type Sql } from '#server/platform/clickhouse/sql.ts'
import { createTableLike, dropTable, truncateTable } from '#server/platform/clickhouse/statements.ts'

type Stores = Pick<Platform, 'clickhouse'>

/** Jobs of each purpose have separate turns. */
const prefixes = { results: 'tag_staging', reports: 'report_tag_staging', owners: 'owner_tag_staging' }
type Purpose = keyof typeof prefixes

/**
 * Creates a table in which the tags of one storage after another are collected, and drops tables left by others; call
 * it in the turn of the job. Each run of a job has its own table: a server that lost the turn without noticing finds
 * its table dropped and fails, instead of writing a part of another server's tags.
 */
export async function newStaging(stores: Stores, purpose: Purpose = 'results'): Promise<Sql> {
  await dropLeft(stores, prefixes[purpose])
  const staging = name(`${prefixes[purpose]}_${randomUUID().replaceAll('-', '')}`)
  await stores.clickhouse.change(createTableLike(staging, 'entry_tags'))
  return staging
}

export const emptyStaging = ({ clickhouse }: Stores, staging: Sql): Promise<void> =>
  clickhouse.change(truncateTable(staging))

export const dropStaging = ({ clickhouse }: Stores, staging: Sql): Promise<void> =>
  clickhouse.change(dropTable(staging))

async function dropLeft(stores: Stores, prefix: string): Promise<void> {
  const tables = await stores.clickhouse.tables()
  for (const table of tables) if (table.startsWith(prefix)) await dropStaging(stores, name(table))
}
