import type { PowerScaleOrder } from '#events/sources/powerScales.ts'
import type { TransportOptions } from '../http/transport.ts'
import { messageOf, type OpenedSystem } from '../system.ts'
import { isUsable, readBaseline, writeBaseline } from './baseline.ts'
import { readCapacity } from './capacity.ts'
import { newClient } from './client.ts'
import { Refused } from './failures.ts'
import { checkLicense } from './license.ts'
import { newScan } from './scan.ts'
import { findSnapshot, setExpiry } from './snapshots.ts'

export type PowerScaleOptions = {
  /** ID of the product's data. */
  product: string
  volumeId: number
  scanId: number
  ignoredPaths: string[]
  scannedPath: string
  /** Text that `baseline` of an earlier scan returned. */
  baseline: string | undefined
  /** Folder of the agent. */
  state: string
  signal: AbortSignal
  transport?: TransportOptions
}

/** Time that closing may take. */
const closeMs = 20_000

/**
 * Opens a folder of a Dell PowerScale cluster for a scan through a snapshot: of all of it, or of the changes since the snapshot of an
 * earlier scan. Throws `ScanFailed` with the reason why it can't be scanned.
 */
export async function openPowerScale(source: PowerScaleOrder, options: PowerScaleOptions): Promise<OpenedSystem> {
  const { product, volumeId, signal } = options
  const client = newClient(source, options.transport)
  try {
    await checkLicense(client, signal)
    const prefix = `dataintell-${product.slice(0, 8)}-${volumeId}-`
    const scan = await newScan(client, { ...source, ...options, prefix }, signal)
    return {
      listing: 'pages',
      // A setting of the user, who knows how busy the nodes are.
      pages: { page: scan.page, requests: client.requests, requestsAtOnce: source.threads },
      signal,
      server: client.server,
      check: () => scan.check(signal),
      reasonOf: messageOf,
      capacity: () => readCapacity(client, source, signal),
      baseline() {
        const baseline = scan.baseline()
        return baseline && writeBaseline(baseline)
      },
      note: scan.note,
      async close() {
        scan.close()
        await scan.removeUnkept(AbortSignal.timeout(closeMs)).catch(() => {})
        await client.close()
      },
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Days for which the snapshot of a baseline is kept at least, so that weekly deltas find it. */
const minDaysKept = 14

/**
 * Keeps the snapshot that the next delta starts from, as long as it was made to last and at least two weeks from now. Returns whether
 * the snapshot still exists. `baseline` is the text that a scan returned.
 */
export async function keepBaseline(
  source: PowerScaleOrder,
  baseline: string,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<boolean> {
  const kept = readBaseline(baseline)
  if (kept?.host !== source.host || kept.path !== source.path) return false
  const client = newClient(source, transport)
  try {
    const snapshot = await findSnapshot(client, kept.id, signal)
    if (!isUsable(snapshot, kept)) return false
    await setExpiry(client, kept.id, Math.max(kept.days, minDaysKept), signal)
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false
    throw error
  } finally {
    await client.close()
  }
}
