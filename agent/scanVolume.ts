import { askForPending, askForTask } from './ask.ts'
import { Cancelled } from './endings.ts'
import type { Line } from './line.ts'
import type { Mounts } from './systems/network-mount/index.ts'
import { openReport } from './report.ts'
import { runScan } from './scan/runScan.ts'
import type { Turn } from './turn.ts'

/** How long a cancelled scan tries to say so, in milliseconds. */
const lastWords = 10_000

/** What tasks are done with: the way to the server, and the shares that are mounted. */
export type Means = { line: Line; mounts: Mounts }

/** The task SCAN_VOLUMES: gets its order, scans, and reports. */
export async function scanVolume({ line, mounts }: Means, taskId: number, { signal, began }: Turn): Promise<void> {
  const answer = await askForTask(line, taskId, signal)
  if (answer.type === 'over') return line.log.info({ taskId, reason: answer.reason }, 'The task is over')
  const { order } = answer
  const { scanId, attempt, root } = order
  began(attempt)
  line.log.info({ taskId, scanId, attempt, root }, 'Scanning')
  const report = openReport(line, order, signal)
  const nextPage = (after: string) => askForPending(line, { taskId, attempt, after }, signal)
  try {
    await runScan(order, { report, nextPage, mounts, signal })
    line.log.info({ taskId, scanId, attempt }, 'Scanned')
  } catch (error) {
    if (!(signal.reason instanceof Cancelled)) throw error
    // Also said where the scan was only paused: the server then knows already.
    await report.say({ type: 'cancelled' }, AbortSignal.timeout(lastWords)).catch(() => undefined)
    line.log.info({ taskId, scanId, attempt }, 'Cancelled')
  }
}
