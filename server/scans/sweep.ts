import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { brokenOff, checkScan } from './completeScan.ts'

/** Time between checks of open scans. */
const usualEveryMs = 2_000

/**
 * Checks scans that no message will wake: a commit of a killed server, or a scan whose last batch was lost. The first
 * round runs at once, as recovery after a start.
 */
export const startSweep = (platform: Platform, everyMs = usualEveryMs): Running =>
  runEvery(everyMs, () => sweep(platform), 'Open scans could not be looked after; it is tried again', platform.log)

async function sweep(platform: Platform): Promise<void> {
  const open = await platform.db
    .selectFrom('scans')
    .select(['id', 'announced'])
    .where((scan) => scan.or([scan('state', 'in', ['running', 'committing']), scan('id', 'in', [0, ...brokenOff()])]))
    .execute()
  for (const { id, announced } of open) if (announced) await checkScan(platform, id)
}
