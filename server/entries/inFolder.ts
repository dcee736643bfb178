import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { folderOf, nameOf } from './places.ts'

/** The `parent_path` of what lies in a folder. */
export const childrenOf = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/** Whether a row lies below a folder, at any depth. */
export const below = (folder: string): Sql => sql`startsWith(parent_path, ${childrenOf(folder)})`

/** Whether a row is that of the folder itself; `/` is the root of a storage. */
export function isFolder(folder: string): Sql {
  const path = childrenOf(folder).slice(0, -1)
  return sql`(is_directory AND parent_path = ${folderOf(path)} AND name = ${nameOf(path)})`
}
