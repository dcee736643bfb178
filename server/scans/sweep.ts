import type { Leases } from '#server/agents/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { dropReplacedGenerations, removeUnshown } from '#server/snapshots/index.ts'
import { checkScan } from './completeScan.ts'
import { failScan } from './endScan.ts'

/** How often open scans are looked after, and how long an agent may be silent about a task. Milliseconds. */
const sweepEvery = 2_000
const lease = 60_000
/** Longer than any question may run, so that none still reads what is removed. */
const generationKept = 120_000

/**
 * Looks after what no message will wake: a commit that a killed server left, a scan whose last batch was lost, an agent
 * that fell silent, a generation or versions that nobody reads any more. The first round, at once, is the recovery after a start.
 */
export function startSweep(platform: Platform, leases: Leases): { stop(): Promise<void> } {
  let round = sweep(platform, leases)
  const timer = setInterval(() => {
    round = round.then(() => sweep(platform, leases))
  }, sweepEvery)
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

async function sweep(platform: Platform, leases: Leases): Promise<void> {
  try {
    const open = await platform.db
      .selectFrom('scans')
      .selectAll()
      .where('state', 'in', ['running', 'committing'])
      .execute()
    for (const scan of open) {
      const silent = Date.now() - leases.lastWorkedOn(scan.taskId)
      if (scan.announced) await checkScan(platform, scan.id)
      else if (silent > lease) await failScan(platform, scan, 'The agent said nothing of this scan for 60 seconds')
    }
    await dropReplacedGenerations(platform, generationKept)
    await removeUnshown(platform, generationKept)
  } catch (error) {
    platform.log.warn({ error }, 'Open scans could not be looked after; it is tried again')
  }
}
