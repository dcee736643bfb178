import { counted } from '#events/contract/counted.ts'
import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { dropPartition } from '#server/platform/clickhouse/statements.ts'
import { counter } from '#server/platform/http/metrics.ts'
import { type Commit, known, type SameFiles, type StagedCommit, type StagedRows } from './commit.ts'

/*
 * Folders whose files the agent left out, since they match the committed scan: a mark replaces their rows, and their
 * versions are kept without being read. Marks along with files that were sent only state that the files could have been
 * left out.
 */

/**
 * Ends a commit whose left-out files do not match the known snapshot. The scan has to start again and send all files.
 */
export class UnfitMarks extends Error {}

const unfit = counter('unfit_marks_total', 'Folders whose files were reported as unchanged, and cannot be')
const differing = counter(
  'digest_differences_total',
  'Folders whose files were as before by their digest, and were not',
)

/**
 * Checks that marks name the committed scan, and that it has the same number of files in each marked folder, of the
 * same total size and no newer. So stored totals match, no matter what an agent sends. Throws `UnfitMarks`; nothing is
 * carried over then.
 */
export async function checkSameFiles(commit: Commit, { unchanged, misfits }: StagedRows): Promise<SameFiles> {
  if (misfits > 0) return refuse(commit, 'The scan was compared with an earlier scan than the last one')
  if (unchanged === 0) return { hasSame: false, hasCompared: true }
  const { wrong, compared } = await countFolders(commit)
  if (wrong === 0) return { hasSame: true, hasCompared: compared > 0 }
  unfit.inc(wrong)
  return refuse(commit, `The files left out of ${counted(wrong, 'folder')} do not match the last snapshot`)
}

/** Ends the commit: the scan has to send all files. */
export async function refuse({ clickhouse, scan }: Commit, reason: string): Promise<never> {
  await clickhouse.command(dropPartition(tablesOf(scan.id).staging, 0))
  throw new UnfitMarks(reason)
}

/**
 * Counts folders whose mark is impossible, and unmarked ones that have or had files. The totals of a known folder's
 * files are those of its entry minus those of its subfolders' entries, so no file is read. The only known time is the
 * folder's newest one, which includes files farther below. Of a folder with hard links, `repeated_size` has the bytes that its size
 * counts once; their allocated size is not known. A folder that
 * had hard links itself counts as sent, because the size of these depends on other folders.
 */
function countFolders(commit: Commit): Promise<{ wrong: number; compared: number }> {
  const { clickhouse, scan } = commit
  const { staging } = tablesOf(scan.id)
  const knownFolders = sql`${known(commit)} AND is_directory`
  const moment = (column: string) => text(`toInt64(least(greatest(${column}, 0), 4294967295))`)
  return clickhouse.one(sql`
    SELECT toFloat64(countIf(marks > 0 AND NOT isFit)) AS wrong,
      toFloat64(countIf(marks = 0 AND (sent > 0 OR files != 0))) AS compared
    FROM (
      SELECT sum(f.marks) AS marks, sum(f.sent) AS sent, sum(f.files) AS files,
        marks = 1 AND sum(f.ends) = 1 AND sent = 0 AND sum(f.known) = 1 AND files = 0 AND sum(f.size) = 0
          AND (sum(f.allocated) = 0 OR sum(f.repeated) > 0) AND sum(f.accessed) <= 0 AND sum(f.modified) <= 0 AS isFit
      FROM (
        SELECT concat(parent_path, name, '/') AS folder, toInt64(kind = ${kindOf.unchanged}) AS marks, toInt64(kind = ${kindOf.listed}) AS ends,
          toInt64(0) AS sent, toInt64(0) AS known, toInt64(if(kind = ${kindOf.unchanged}, s.files, 0)) AS files,
          if(kind = ${kindOf.unchanged}, size, 0) AS size, if(kind = ${kindOf.unchanged}, allocated_size, 0) AS allocated, toInt64(0) AS repeated,
          ${moment('accessed')} AS accessed, ${moment('modified')} AS modified
        FROM ${staging} AS s WHERE kind IN (${kindOf.listed}, ${kindOf.unchanged}) AND attempt > 0
        UNION ALL
        SELECT DISTINCT parent_path, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
        FROM ${staging} WHERE kind = ${kindOf.entry} AND NOT is_directory AND attempt > 0
        UNION ALL
        SELECT DISTINCT parent_path, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 FROM ${known(commit)} AND NOT is_directory AND link_count > 1
        UNION ALL
        SELECT concat(parent_path, name, '/'), 0, 0, 0, 1, toInt64(unrecorded_files) - toInt64(files),
          unrecorded_size - size - repeated_size, unrecorded_allocated - allocated_size, repeated_size,
          -toInt64(toUnixTimestamp(accessed_below)), -toInt64(toUnixTimestamp(modified_below))
        FROM ${knownFolders}
        UNION ALL
        SELECT parent_path, 0, 0, 0, 0, toInt64(files), size + repeated_size, allocated_size, 0, 0, 0
        FROM ${knownFolders} AND parent_path != '') AS f
      GROUP BY folder)`)
}

/** Folders whose known files are compared: all but those whose files were left out. */
export function comparedFolders(commit: StagedCommit): Sql {
  const { scan, staged } = commit
  if (!staged.hasSame) return sql`1`
  return sql`parent_path IN (
    SELECT concat(parent_path, name, '/') AS folder FROM ${known(commit)} AND is_directory
      AND folder NOT IN (SELECT concat(parent_path, name, '/') FROM ${tablesOf(scan.id).staging} WHERE kind = ${kindOf.unchanged}))`
}

/** In a scan that checks marks, counts folders whose files differ although their digest did not. */
export async function countDifferences({ clickhouse, scan, staged }: StagedCommit): Promise<void> {
  if (staged.rows.alike === 0) return
  const { staging, changes } = tablesOf(scan.id)
  const { folders } = await clickhouse.one<{ folders: number }>(sql`
    SELECT toFloat64(uniqExact(parent_path)) AS folders FROM ${changes}
    WHERE NOT is_directory AND parent_path IN (
      SELECT concat(parent_path, name, '/') FROM ${staging} WHERE kind = ${kindOf.verifiable})`)
  if (folders > 0) differing.inc(folders)
}
