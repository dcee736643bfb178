import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { areDuplicates } from '#server/content/snapshots/reading/duplicateRules.ts'
import { groupsAt } from './groupVersions.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/** SQL for the number and bytes of a snapshot's duplicate files; undefined if its groups are unknown. */
export const duplicateFiles = ({ duplicatesVersions: versions, rules }: Snapshot): Sql | undefined =>
  versions &&
  sql`
    SELECT sum(found.copies) AS count, sum(toFloat64(found.bytes)) AS bytes, bytes AS fileBytes FROM ${groupsAt(versions)} AS found
    WHERE NOT found.is_directory AND ${areDuplicates(rules, sql`found.is_directory`, sql`found.bytes / found.copies`)}`
