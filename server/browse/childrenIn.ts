import { childrenOf } from '#server/entries/index.ts'
import { type Sql, sql } from '#server/platform/sql.ts'

/** The files, or the folders, directly in a folder. */
export const childrenIn = (path: string, kind: 'files' | 'folders'): Sql =>
  sql`(parent_path = ${childrenOf(path)} AND ${kind === 'files' ? sql`NOT is_directory` : sql`is_directory`})`

/** Those of them that are not hidden; what lies in a hidden folder is hidden, too. */
export const unhiddenIn = (path: string): Sql => (path.includes('/.') ? sql`0` : sql`NOT startsWith(name, '.')`)
