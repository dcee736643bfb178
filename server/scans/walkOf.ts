import type { ScanOrder } from '#events/scans.ts'
import { configuredValues } from '#server/configurations/index.ts'
import type { Db } from '#server/platform/postgres.ts'

/** How the configuration has a storage of this scan type walked. */
export async function walkOf(db: Db, scanType: string): Promise<Pick<ScanOrder, 'sharing' | 'withoutOwners'>> {
  const said = await configuredValues(db, 'numberOfFiles', 'folderDepth', 'isPerformanceModeActive')
  const sharing = { afterFiles: Number(said.numberOfFiles), toDepth: Number(said.folderDepth) }
  return {
    ...(scanType === 'HYBRID_MULTITHREAD' && { sharing }),
    ...(said.isPerformanceModeActive === 'true' && { withoutOwners: true }),
  }
}
