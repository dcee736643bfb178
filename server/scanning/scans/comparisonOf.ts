import type { CompareWith } from '#events/sources/scanOrder.ts'
import type { Listing } from '#events/sources/kinds.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Scan } from './changeScan.ts'

/**
 * The scan that an attempt is compared with, so that its agent may leave out unchanged files: the committed scan of the
 * volume, if its agent announced a baseline. Undefined: the agent sends everything. One of every `scanCheckEvery` walks
 * sends everything too, and marks the files that it could have left out. Lists of changes only exist for a whole
 * storage.
 */
export async function comparisonOf(
  db: Db,
  { volumeId, mustBeFull, scannedPath }: Pick<Scan, 'volumeId' | 'mustBeFull' | 'scannedPath'>,
  listing: Listing,
): Promise<CompareWith | undefined> {
  const isOfPart = listing === 'pages' && scannedPath !== ''
  if (mustBeFull || isOfPart) return undefined
  const known = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['scans.id', 'scans.announced'])
    .where('volumes.id', '=', volumeId)
    .where('volumes.generation', 'is not', null)
    .executeTakeFirst()
  if (!known?.announced?.baseline) return undefined
  return {
    scan: known.id,
    baseline: known.announced.baseline,
    isCheck: listing === 'walk' && (await isCheckDue(db, volumeId)),
  }
}

/** True if all of the last `scanCheckEvery` - 1 scans left files out, or might have. */
async function isCheckDue(db: Db, volumeId: number): Promise<boolean> {
  const every = await configuredNumber(db, 'scanCheckEvery')
  const last = await db
    .selectFrom('scans')
    .select('isCompared')
    .where('volumeId', '=', volumeId)
    .where('state', 'in', ['done', 'partial'])
    .orderBy('id', 'desc')
    .limit(every - 1)
    .execute()
  return last.length === every - 1 && last.every(({ isCompared }) => isCompared)
}
