import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { join, name as columnName, quoted, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { plainAttributes } from '#server/content/snapshots/reading/attributes.ts'
import { type Commit } from './commit.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'

type Value = (column: Sql, known: Sql) => Sql
type CarriedRows = {
  /** Known entries as `p`, with the joins and conditions behind them. */
  from: Sql
  /** Kinds of the rows to write for an entry, an array. */
  kinds: Sql
  batch: Sql
  parentPath?: Sql
  name?: Sql
  /** Values of columns that the scan may know better than the snapshot; `mergeText` for owners and groups. */
  mergeValue?: Value
  mergeText?: Value
}

/** Marks of a known folder in addition to its entry. */
export const marks = sql`if(p.unreadable, [${kindOf.unreadable}], []), 
  if(p.unrecorded_files > 0 OR p.not_entered != '', [${kindOf.listed}], [])`

/** Adds rows for known entries to staging, as attempt 0. */
export function carryRows(commit: Commit, rows: CarriedRows): Promise<void> {
  const { from, kinds, batch, parentPath = sql`p.parent_path`, name = sql`p.name` } = rows
  const { mergeValue = (_, known) => known, mergeText = mergeValue } = rows
  const value = (column: Sql) => mergeValue(column, sql`p.${column}`)
  const seconds = (column: Sql) => mergeValue(column, sql`toInt64(toUnixTimestamp(p.${column}))`)
  const text = (column: Sql) => mergeText(column, sql`p.${column}`)
  const ofFile = (column: Sql, unrecorded: Sql) =>
    sql`multiIf(mark = ${kindOf.listed}, ${unrecorded}, p.is_directory, 0, ${value(column)})`
  const plain = plainAttributes.map(({ kind, column }) => ({ kind, column: columnName(column) }))
  return insertFrom(
    commit.clickhouse,
    tablesOf(commit.scan.id).staging,
    sql`
      SELECT 0, toUInt32(${batch}), arrayJoin(${kinds}) AS mark, ${parentPath}, ${name}, p.is_directory,
        ${ofFile(sql`size`, sql`p.unrecorded_size`)}, ${ofFile(sql`allocated_size`, sql`p.unrecorded_allocated`)},
        if(mark = ${kindOf.listed}, p.unrecorded_files, 0), p.link_count, ${value(sql`device`)}, ${value(sql`inode`)},
        ${text(sql`owner`)}, ${text(sql`\`group\``)}, p.mode, p.link_target,
        ${seconds(sql`created`)}, ${seconds(sql`modified`)}, ${seconds(sql`accessed`)}, ${value(sql`etag`)},
        p.storage_class, ${seconds(sql`backup_date`)}, p.metadata${join(
          plain.map(({ kind, column }) => sql`, ${kind === 'moment' ? seconds(column) : value(column)}`),
          '',
        )},
        if(mark = ${kindOf.listed}, p.not_entered, '')
      FROM ${from}`,
    `attempt, batch, kind, parent_path, name, is_directory, size, allocated_size, files, link_count, device, inode, owner, \`group\`,
      mode, link_target, created, modified, accessed, etag, storage_class, backup_date, metadata${plainAttributes.map(({ column }) => `, ${quoted(column)}`).join('')}, not_entered`,
  )
}
