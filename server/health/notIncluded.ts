import { sql } from 'kysely'
import type { HealthProblem } from '#events/health.ts'
import { notEnteredWords } from '#events/scans/notEntered.ts'
import type { NotEnteredFolders } from '#events/storages.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

type Row = { id: number; name: string; notEntered: NotEnteredFolders }

/** Storages whose last scan left out other file systems, or folders that are too deep. */
export async function notIncludedFolders(db: Db): Promise<HealthProblem[]> {
  const { rows } = await sql<Row>`
    SELECT volumes.id, volumes.name, scans.not_entered FROM volumes JOIN scans ON scans.id = committed_scan
    WHERE volumes.deleted_at IS NULL AND (not_entered -> 'count')::integer > 0 ORDER BY volumes.id`.execute(db)
  return rows.flatMap(problemOf)
}

function problemOf({ id, name, notEntered: { count, folders } }: Row): HealthProblem[] {
  // The same folder is also seen at another path.
  const [first, ...others] = folders.filter(({ reason }) => reason !== 'sameFolder')
  if (!first) return []
  const more = count > folders.length ? count - 1 : others.length
  const rest = more === 0 ? '' : `, and ${more} more`
  return [
    {
      key: `storage ${id}, not included`,
      message: `Scans of the storage ${name} do not enter ${first.path}, which is ${notEnteredWords(first)}${rest}. Include file systems mounted below in its settings, or add them to its ignored paths.`,
    },
  ]
}
