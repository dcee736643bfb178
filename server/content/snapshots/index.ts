import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { startRecounting } from './duplicates/startRecounting.ts'
import { startClearing } from './retention/startClearing.ts'
import { startRetention } from './retention/startRetention.ts'

export { withTagsLocked, settledSnapshot } from './tags/withTagsLocked.ts'
export { applyFlush } from './live/applyFlush.ts'
export { endSession, startSession } from './sessions/sessions.ts'
export { checkOlder, commitImport, removeImportedRows, rollUpImport, undoImport } from './imports/commitImport.ts'
export type { StagedImport } from './imports/plannedImport.ts'
export { commitScan } from './commit/commitScan.ts'
export { dropScanTables } from './commit/leftovers.ts'
export { UnfitMarks } from './commit/sameFiles.ts'
export { copiesAmong } from './duplicates/copiesAmong.ts'
export { duplicateFiles } from './duplicates/duplicateFiles.ts'
export { duplicateHashes } from './duplicates/duplicateHashes.ts'
export { versionsInUse } from './duplicates/duplicatesOfScans.ts'
export { withVersionsKept, withCommitsHeldBack, withFiguresLockIfFree } from './locks.ts'
export { recoverLeftovers } from './commit/recoverLeftovers.ts'
export { snapshotRoutes } from './routes.ts'
export { endOfDays, nextTagVersion, tagColumns } from './tags/tagChanges.ts'

/** Removes unused data, counts duplicates after volumes were removed, and deletes expired dates, in the background. */
export function startUpkeep(platform: Platform): Running {
  const parts = [startClearing(platform), startRecounting(platform), startRetention(platform)]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}
