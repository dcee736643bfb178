import { z } from 'zod'
import { ScanFailed } from '../system.ts'
import type { Client } from './client.ts'
import { Refused } from './failures.ts'
import { isLicensed } from './unconfirmed.ts'

const addresses = ['/platform/1/snapshot/license', '/platform/1/license/licenses']

/**
 * Throws `ScanFailed` where the cluster has no license for snapshots. Where a user may not read the license, the first snapshot tells.
 */
export async function checkLicense(client: Client, signal: AbortSignal): Promise<void> {
  for (const path of addresses) {
    try {
      const answer = await client.patiently(
        { path, purpose: 'read the license of SnapshotIQ', read: z.unknown() },
        signal,
      )
      if (isLicensed(answer)) return
      throw new ScanFailed('The SnapshotIQ license is missing or has expired. Activate SnapshotIQ on the cluster.')
    } catch (error) {
      const isUnreadable = error instanceof Refused && error.refusal !== 'AEC_INVALID_LICENSE'
      if (!isUnreadable || (error.status !== 403 && error.status !== 404)) throw error
    }
  }
}
