import type { PartOfFolder } from '#events/folders/browse.ts'
import { childrenOf } from '#server/entries/conditions.ts'
import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'

export const childrenIn = (path: string, part: PartOfFolder): Sql =>
  sql`(parent_path = ${childrenOf(path)} AND ${part === 'files' ? sql`NOT is_directory` : sql`is_directory`})`

/** Condition on shown entries, with or without hidden ones; everything in a hidden folder is hidden too. */
export function shownIn(path: string, withHidden: boolean): Sql {
  if (withHidden) return sql`1`
  return path.includes('/.') ? sql`0` : sql`NOT startsWith(name, '.')`
}

/** Folders that match a partly typed path, and whether finding them reads all names. */
export function typedFolders(typed: string): { where: Sql; heavy: boolean } {
  const nameAt = typed.lastIndexOf('/') + 1
  const [parents, name] = [typed.slice(0, nameAt), typed.slice(nameAt)]
  if (typed === '' || typed.startsWith('/'))
    return { where: sql`(${childrenIn(parents || '/', 'folders')} AND ${hasPart(name)})`, heavy: false }
  return { where: sql`(is_directory AND ${parents === '' ? hasPart(name) : isAt(parents, name)})`, heavy: true }
}

/** Typed text is literal, also if it contains wildcards. */
const hasPart = (part: string): Sql => (part === '' ? sql`1` : sql`position(lowerUTF8(name), lowerUTF8(${part})) > 0`)

const isAt = (parents: string, name: string): Sql => sql`
  startsWith(lowerUTF8(name), lowerUTF8(${name})) AND endsWith(lowerUTF8(parent_path), lowerUTF8(${`/${parents}`}))`
