import type { ScanOrder } from '#events/scans.ts'
import { configuredValues } from '#server/configurations/index.ts'
import type { Db } from '#server/platform/postgres.ts'

/**
 * How a storage of this scan type is walked from a path on: threads share all folders, the first-level ones alone, or those
 * that the configuration says.
 */
export async function walkOf(
  db: Db,
  scanType: string,
  scannedPath = '',
): Promise<Pick<ScanOrder, 'sharing' | 'withoutOwners'>> {
  const said = await configuredValues(db, 'numberOfFiles', 'folderDepth', 'isPerformanceModeActive')
  const hybrid = { afterFiles: Number(said.numberOfFiles), toDepth: Number(said.folderDepth) }
  const firstLevel = { afterFiles: 0, toDepth: scannedPath.split('/').length }
  return {
    ...(scanType === 'HYBRID_MULTITHREAD' && { sharing: hybrid }),
    ...(scanType === 'FOLDER_MULTITHREAD' && { sharing: firstLevel }),
    ...(said.isPerformanceModeActive === 'true' && { withoutOwners: true }),
  }
}
