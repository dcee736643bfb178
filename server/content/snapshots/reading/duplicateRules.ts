import { configuredValues } from '#server/access/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** Rules for duplicates among entries with copies: files of a minimum size in bytes, and folders or not. */
export type DuplicateRules = { minimumSize: number; ofFolders: boolean }

export async function duplicateRules(db: Db): Promise<DuplicateRules> {
  const settings = await configuredValues(db, 'scan.tagDuplicate.minimumSize', 'isPerformanceModeActive')
  return {
    minimumSize: Number(settings['scan.tagDuplicate.minimumSize']),
    ofFolders: settings.isPerformanceModeActive !== 'true',
  }
}

/** Returns whether copies count as duplicates; `bytes` is the total of all copies. */
export const isDuplicate = (
  { minimumSize, ofFolders }: DuplicateRules,
  group: { is_directory: boolean; copies: number; bytes: number },
): boolean => group.copies > 1 && (group.is_directory ? ofFolders : group.bytes / group.copies >= minimumSize)

/** `isDuplicate` as SQL. */
export const areDuplicates = ({ minimumSize, ofFolders }: DuplicateRules, isFolder: Sql, size: Sql): Sql =>
  sql`if(${isFolder}, ${ofFolders}, ${size} >= ${minimumSize})`
