import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { rulesDigest } from '../rulesDigest.ts'

/*
 * A list of changes says nothing of entries that other rules left out. So the baseline of a storage, which names a state of it, is
 * kept together with the rules of the scan, and is of no use to a scan with others.
 */

/** The baseline as the server keeps it for the next scan. */
export const sealBaseline = (order: ScanOrder, baseline: string): string => `${rulesDigest(order)} ${baseline}`

/** The system's own baseline, for any rules. */
export const unsealed = (sealed: string): string => sealed.slice(sealed.indexOf(' ') + 1)

/** The baseline from which the scan may list changes, or the reason in `note` why it cannot. */
export function openBaseline(order: ScanOrder): { baseline?: string; note?: string } {
  if (!order.compareWith) return {}
  if (order.indexFolderOnlyPaths.length > 0)
    return { note: 'All of it was scanned, because files of folders that are indexed without their files have no rows' }
  const sealed = order.compareWith.baseline
  return sealed.startsWith(`${rulesDigest(order)} `)
    ? { baseline: unsealed(sealed) }
    : { note: 'All of it was scanned, because its settings or the version of the agent changed since the last scan' }
}
