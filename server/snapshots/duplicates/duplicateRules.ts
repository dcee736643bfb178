import { configuredValues } from '#server/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** What counts as a duplicate, of all that is there more than once: files of a size in bytes, and folders or none. */
export type DuplicateRules = { minimumSize: number; ofFolders: boolean }

export async function duplicateRules(db: Db): Promise<DuplicateRules> {
  const said = await configuredValues(db, 'scan.tagDuplicate.minimumSize', 'isPerformanceModeActive')
  return {
    minimumSize: Number(said['scan.tagDuplicate.minimumSize']),
    ofFolders: said.isPerformanceModeActive !== 'true',
  }
}

/** Whether copies count as duplicates; `bytes` are those of all of them. */
export const isDuplicate = (
  { minimumSize, ofFolders }: DuplicateRules,
  group: { is_directory: boolean; copies: number; bytes: number },
): boolean => group.copies > 1 && (group.is_directory ? ofFolders : group.bytes / group.copies >= minimumSize)

/** Likewise in a statement, of what is there more than once, by whether they are folders and by the size of each. */
export const areDuplicates = ({ minimumSize, ofFolders }: DuplicateRules, isFolder: Sql, size: Sql): Sql =>
  sql`if(${isFolder}, ${ofFolders}, ${size} >= ${minimumSize})`
