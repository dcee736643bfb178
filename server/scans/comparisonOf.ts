import type { CompareWith } from '#events/scans/order.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Scan } from './changeScan.ts'

/**
 * What an attempt of a scan is compared with, so that its agent may leave out files that are as they were: the committed scan of the
 * volume, if the agent kept digests of it. Undefined: all is to be sent. One of every `scanCheckEvery` scans sends all as well, and
 * says what it would have left out.
 */
export async function comparisonOf(
  db: Db,
  { volumeId, mustBeFull }: Pick<Scan, 'volumeId' | 'mustBeFull'>,
): Promise<CompareWith | undefined> {
  if (mustBeFull) return undefined
  const known = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['scans.id', 'scans.announced'])
    .where('volumes.id', '=', volumeId)
    .where('volumes.generation', 'is not', null)
    .executeTakeFirst()
  if (!known?.announced?.digests) return undefined
  return { scan: known.id, digests: known.announced.digests, isCheck: await isCheckDue(db, volumeId) }
}

/** Whether all but one of so many scans left files out, or might have, since the last that sent all. */
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
