import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { folderOf, nameOf } from './places.ts'

/** The `parent_path` of a folder's children. */
export const childrenOf = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/** Condition: a row is below a folder, at any depth. */
export const below = (folder: string): Sql => sql`startsWith(parent_path, ${childrenOf(folder)})`

/** Condition: a row is the folder itself; `/` is the root of a storage. */
export function isFolder(folder: string): Sql {
  const path = childrenOf(folder).slice(0, -1)
  return sql`(is_directory AND parent_path = ${folderOf(path)} AND name = ${nameOf(path)})`
}
