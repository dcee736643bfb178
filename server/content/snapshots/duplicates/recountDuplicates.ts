import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { name } from '#server/platform/clickhouse/sql.ts'
import { dropTable } from '#server/platform/clickhouse/statements.ts'
import { countDuplicates } from './countDuplicates.ts'
import { countedLast, rememberCounted } from './duplicatesOfScans.ts'
import { withDuplicatesLockIfFree } from '#server/content/snapshots/locks.ts'
import { type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'

const touched = name('touched_by_removal')

/**
 * Counts the groups of duplicates for the newest date if its volumes differ from the counted ones, for example after a
 * deletion: otherwise each query would count them until the next scan. Only for the newest scans of each volume,
 * because the next scan can continue from those. Must not run while a commit counts.
 */
export async function recountDuplicates({ db, clickhouse }: Stores): Promise<void> {
  if (!(await shownAnew(db))) return
  await withDuplicatesLockIfFree(db, async (held) => {
    const newest = await shownAnew(held)
    if (!newest) return
    const { volumes: shown, repeated } = newest
    const versions = await countDuplicates({ db: held, clickhouse, touched }, shown, await countedLast(held), repeated)
    const volumes = shown.map(({ volumeId }) => volumeId)
    await held.transaction().execute((trx) => rememberCounted(trx, { versions, volumes, repeated }))
    await clickhouse.command(dropTable(touched))
  })
}

/** The volumes of the newest date, if its groups are unknown and can be counted. */
async function shownAnew(db: Db): Promise<Snapshot | undefined> {
  const newest = await snapshotAt(db, 'everything')
  if (!newest || newest.duplicatesVersions || newest.volumes.length === 0) return undefined
  const { volumes: counted } = await countedLast(db)
  const isCommitted = newest.volumes.every(({ scanId, committedScan }) => scanId === committedScan)
  const isCounted =
    newest.volumes.length === counted.length && newest.volumes.every(({ volumeId }) => counted.includes(volumeId))
  return isCommitted && !isCounted ? newest : undefined
}
