import type { Leases } from '#server/agents/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, startRounds } from '#server/platform/rounds.ts'
import { brokenOff, checkScan } from './completeScan.ts'
import { loseScan } from './endScan.ts'

/** How often open scans are looked after, and how long an agent may be silent about a task. Milliseconds. */
const every = 2_000
const lease = 60_000

/**
 * Looks after what no message will wake: a commit that a killed server left, a scan whose last batch was lost, an agent
 * that fell silent. The first round, at once, is the recovery after a start.
 */
export const startSweep = (platform: Platform, leases: Leases): Running =>
  startRounds(
    every,
    () => sweep(platform, leases),
    'Open scans could not be looked after; it is tried again',
    platform.log,
  )

async function sweep(platform: Platform, leases: Leases): Promise<void> {
  const open = await platform.db
    .selectFrom('scans')
    .selectAll()
    .where((scan) => scan.or([scan('state', 'in', ['running', 'committing']), scan('id', 'in', [0, ...brokenOff()])]))
    .execute()
  for (const scan of open) {
    // Until the agent's next heartbeat tells of it, a task that was just taken counts from then.
    const silent = Date.now() - Math.max(leases.lastWorkedOn(scan.taskId), scan.takenAt?.getTime() ?? 0)
    if (scan.announced) await checkScan(platform, scan.id)
    else if (silent > lease) await loseScan(platform, scan, 'The agent said nothing of this scan for 60 seconds')
  }
}
