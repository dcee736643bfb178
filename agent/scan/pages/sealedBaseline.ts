import type { ScanOrder } from '#events/scans/order.ts'
import { rulesDigest } from '../rulesDigest.ts'

/*
 * A list of changes says nothing of entries that other rules left out. So the baseline of a storage, which names a state of it, is
 * kept together with the rules of the scan, and is of no use to a scan with others.
 */

/** The baseline as the server keeps it for the next scan. */
export const sealBaseline = (order: ScanOrder, baseline: string): string => `${rulesDigest(order)} ${baseline}`

/** The baseline that the scan may list changes from; undefined, or the reason why there is none. */
export function openBaseline(order: ScanOrder): { baseline?: string; note?: string } {
  if (!order.compareWith) return {}
  const sealed = order.compareWith.baseline
  const end = sealed.indexOf(' ')
  return sealed.slice(0, end) === rulesDigest(order)
    ? { baseline: sealed.slice(end + 1) }
    : { note: 'All of it was scanned, because its settings or the version of the agent changed since the last scan' }
}
