import { actionTasks } from '#server/work/actions/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { reportTasks } from '#server/work/reports/index.ts'
import { scanTasks, startScans } from '#server/scanning/scans/index.ts'
import { tagTasks } from '#server/work/tags/index.ts'
import { type Leases, startTasks, type TaskHandlers } from '#server/workers/tasks/index.ts'
import { simulatedRun } from './simulatedAgent.ts'

export const handlersFor = (platform: Platform): TaskHandlers => ({
  SCAN_VOLUMES: scanTasks(platform),
  ACT_ON_FILES: actionTasks(platform),
  TAG_ENTRIES: tagTasks(platform),
  RUN_REPORT: reportTasks(platform),
})

/**
 * Starts all parts of the server that take part in a scan, for tests only. Simulated agents hold their keys; `leases`
 * has the times of their last work on tasks.
 */
export async function startScanning(platform: Platform, leases: Leases = { lastWorkedOn: () => Date.now() }) {
  await platform.db.updateTable('agents').set({ run: simulatedRun }).execute()
  const scans = await startScans(platform, 300)
  const tasks = startTasks(platform, handlersFor(platform), leases, 300)
  return {
    async stop() {
      await tasks.stop()
      await scans.stop()
    },
  }
}
