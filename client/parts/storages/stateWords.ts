import type { StorageState } from '#events/overview/storageStates.ts'
import { session } from '#client/app/session.state.ts'

/** Result of the scans of a storage if there is no current one: `Not scanned yet: no such host`. */
export function scanProblem({ isScanned, isScanning, lastScan }: StorageState): string | undefined {
  if (isScanning) return isScanned ? undefined : 'First scan in progress'
  const reason = lastScan?.reason && lastScan.state !== 'done' ? `: ${lastScan.reason}` : ''
  if (!isScanned) return `Not scanned yet${reason}`
  return lastScan?.state === 'failed' ? `Last scan failed${reason}` : undefined
}

/**
 * Missing parts of a storage that should be scanned and watched without anyone thinking of it. Users with limits don't know the
 * schedules and alerts of others.
 */
export function missingCare({ isScheduled, isWatched }: StorageState): string | undefined {
  if ((isScheduled && isWatched) || session.user?.limits) return undefined
  if (isScheduled) return 'No alert'
  return isWatched ? 'No schedule' : 'No schedule or alert'
}
