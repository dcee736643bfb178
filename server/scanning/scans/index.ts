import { startIngest } from '#server/workers/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { recoverLeftovers, startUpkeep } from '#server/content/snapshots/index.ts'
import { checkScan } from './completeScan.ts'
import { startKeepingBaselines } from './keepBaselines.ts'
import { startLifecycle } from './lifecycle.ts'
import { startSweep } from './sweep.ts'

export { launchScan, queueScans, type ScanRequest } from './launchScan.ts'
export { scanRoutes } from './routes.ts'
export { walkOf } from './scanOrder.ts'
export { scanTasks } from './scanTasks.ts'

/** Receives the data of scans and creates snapshots. Stops in the order of the data flow. */
export async function startScans(platform: Platform, sweepEveryMs?: number): Promise<{ stop(): Promise<void> }> {
  await recoverLeftovers(platform)
  const parts = [
    await startLifecycle(platform),
    await startIngest(platform, { inserted: (scanId) => checkScan(platform, scanId) }),
    startSweep(platform, sweepEveryMs),
    startUpkeep(platform),
    startKeepingBaselines(platform),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}
export { listScans } from './scanRecord.ts'
