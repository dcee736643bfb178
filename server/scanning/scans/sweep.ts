import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { messageOf } from '#server/platform/problem.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { findScan } from './changeScan.ts'
import { brokenOff, checkScan } from './completeScan.ts'
import { failScan } from './endScan.ts'

/** Time between checks of open scans. */
const defaultEveryMs = 2_000

/** Failed checks of a scan in a row, while the stores work, until the scan fails. */
const maxFailures = 5

/**
 * Checks scans that no message will wake: a commit of a killed server, or a scan whose last batch was lost. The first
 * round runs at once, as recovery after a start.
 */
export const startSweep = (platform: Platform, everyMs = defaultEveryMs): Running =>
  runEvery(
    everyMs,
    () => sweep(platform),
    'Open scans could not be looked after; it is tried again',
    platform.log,
    5 * everyMs,
  )

/** Returns true while any scan is open. */
async function sweep(platform: Platform): Promise<boolean> {
  const open = await platform.db
    .selectFrom('scans')
    .select(['id', 'announced'])
    .where((scan) => scan.or([scan('state', 'in', ['running', 'committing']), scan('id', 'in', [0, ...brokenOff()])]))
    .execute()
  for (const { id, announced } of open) if (announced) await checkOne(platform, id)
  return open.length > 0
}

const failures = new Map<number, number>()

/** Checks a scan; a failure doesn't keep the others from being checked. */
async function checkOne(platform: Platform, scanId: number): Promise<void> {
  try {
    await checkScan(platform, scanId)
    failures.delete(scanId)
  } catch (error) {
    platform.log.error({ error, scan: scanId }, 'A scan could not be checked')
    if (isStoreLost(error)) return
    const failed = (failures.get(scanId) ?? 0) + 1
    failures.set(scanId, failed)
    if (failed >= maxFailures) await giveUp(platform, scanId, error)
  }
}

async function giveUp(platform: Platform, scanId: number, error: unknown): Promise<void> {
  failures.delete(scanId)
  const scan = await findScan(platform, scanId)
  if (scan) await failScan(platform, scan, `The scan could not be checked: ${messageOf(error)}`)
}
