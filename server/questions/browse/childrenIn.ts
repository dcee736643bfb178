import type { PartOfFolder } from '#events/folders/browse.ts'
import { isTypedPath, separatorOf } from '#events/sources/fullPath.ts'
import { beginsWith, childrenOf, folded, nameText, searchText } from '#server/content/entries/conditions.ts'
import type { StoredFolder } from '#server/content/entries/storedFolders.ts'
import { join, sql, type Sql } from '#server/platform/clickhouse/sql.ts'

export const childrenIn = (path: string, part: PartOfFolder): Sql =>
  sql`(parent_path = ${childrenOf(path)} AND ${part === 'files' ? sql`NOT is_directory` : sql`is_directory`})`

/** Condition on shown entries, with or without hidden ones; everything in a hidden folder is hidden too. */
export function shownIn(path: string, withHidden: boolean): Sql {
  if (withHidden) return sql`1`
  return path.includes('/.') ? sql`0` : sql`NOT startsWith(name, '.')`
}

/**
 * Folders that match a partly typed path, and whether finding them reads all names. `storedFolders` looks up the folder before
 * the last name.
 */
export async function typedFolders(
  typed: string,
  storedFolders: (path: string) => Promise<StoredFolder[]>,
): Promise<{ where: Sql; heavy: boolean }> {
  const nameAt = typed.lastIndexOf(separatorOf(typed)) + 1
  const [parents, name] = [typed.slice(0, nameAt), typed.slice(nameAt)]
  if (typed === '' || isTypedPath(typed)) {
    const folders = await storedFolders(parents || '/')
    const isChild = folders.map(
      ({ volumeId, path }) => sql`(volume = ${volumeId} AND parent_path = ${childrenOf(path)})`,
    )
    return { where: sql`(is_directory AND (${join(isChild, ' OR ', '0')}) AND ${hasPart(name)})`, heavy: false }
  }
  return { where: sql`(is_directory AND ${parents === '' ? hasPart(name) : isAt(parents, name)})`, heavy: true }
}

/** Typed text is literal, also if it contains wildcards. */
const hasPart = (part: string): Sql => (part === '' ? sql`1` : sql`position(${nameText.key}, ${folded(part)}) > 0`)

const isAt = (parents: string, name: string): Sql => sql`
  ${beginsWith(nameText, name)} AND endsWith(${searchText(sql`parent_path`).key}, ${folded(`/${parents}`)})`
