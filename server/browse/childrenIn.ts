import type { PartOfFolder } from '#events/browse.ts'
import { childrenOf } from '#server/entries/index.ts'
import { type Sql, sql } from '#server/platform/sql.ts'

/** The files, or the folders, directly in a folder. */
export const childrenIn = (path: string, part: PartOfFolder): Sql =>
  sql`(parent_path = ${childrenOf(path)} AND ${part === 'files' ? sql`NOT is_directory` : sql`is_directory`})`

/** Which of them are shown, with those that are hidden or without; what lies in a hidden folder is hidden, too. */
export function shownIn(path: string, withHidden: boolean): Sql {
  if (withHidden) return sql`1`
  return path.includes('/.') ? sql`0` : sql`NOT startsWith(name, '.')`
}
