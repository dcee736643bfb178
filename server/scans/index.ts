import type { Leases } from '#server/agents/index.ts'
import { startIngest } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { recoverLeftovers, startClearing, startRecounting, startRetention } from '#server/snapshots/index.ts'
import { startAgentRequests } from './agentRequests.ts'
import { checkScan } from './completeScan.ts'
import { startDispatch } from './dispatch.ts'
import { startLifecycle } from './lifecycle.ts'
import { startSweep } from './sweep.ts'

export { queueScans, queueScansIn } from './queueScans.ts'
export { scanRoutes } from './routes.ts'
export { scanTasks } from './scanTasks.ts'
export { sortByFree } from './sortByFree.ts'

/** Everything that runs a scan from its order to its snapshot; stopped in the order of the data's way. */
export async function startScans(platform: Platform, leases: Leases): Promise<{ stop(): Promise<void> }> {
  await recoverLeftovers(platform)
  const parts = [
    startDispatch(platform),
    startAgentRequests(platform),
    await startLifecycle(platform),
    await startIngest(platform, { inserted: (scanId) => checkScan(platform, scanId) }),
    startSweep(platform, leases),
    startClearing(platform),
    startRecounting(platform),
    startRetention(platform),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}
