import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { TaskCancelled, type TaskContext } from '../execution.ts'
import { requestPending } from '../requests.ts'
import { openReport } from './report.ts'
import { runScan } from './runScan.ts'

/** Time limit for reporting a cancelled scan. */
const cancelledTimeoutMs = 10_000

type ScanTask = { taskId: number; order: ScanOrder }

/** Runs a task of the type SCAN_VOLUMES: scans what the order says, and reports it. */
export async function scanVolumes(
  { connection, systems, state, refusal }: TaskContext,
  { taskId, order }: ScanTask,
  signal: AbortSignal,
): Promise<void> {
  const { attempt } = order
  const report = openReport(connection, order, signal)
  if (refusal !== undefined) return report.event({ type: 'failed', reason: refusal })
  const nextPage = (after: string) => requestPending(connection, { taskId, attempt, after }, signal)
  try {
    await runScan(order, { report, nextPage, systems, state, signal })
  } catch (error) {
    // Also reported if the scan was only paused: the server then knows already.
    if (signal.reason instanceof TaskCancelled)
      await report.event({ type: 'cancelled' }, AbortSignal.timeout(cancelledTimeoutMs)).catch(() => undefined)
    throw error
  }
}
