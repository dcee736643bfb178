import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { areDuplicates } from './duplicateRules.ts'
import { groupsAt } from '#server/snapshots/reading/groupVersions.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'

/** How many files of a snapshot are duplicates, and their bytes, as a statement; nothing where its groups are not known. */
export const duplicateFiles = ({ duplicatesVersions: versions, rules }: Snapshot): Sql | undefined =>
  versions &&
  sql`
    SELECT sum(found.copies) AS count, sum(found.bytes) AS bytes, bytes AS fileBytes FROM ${groupsAt(versions)} AS found
    WHERE NOT found.is_directory AND ${areDuplicates(rules, sql`found.is_directory`, sql`found.bytes / found.copies`)}`
