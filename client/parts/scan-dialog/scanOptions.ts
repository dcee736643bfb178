/** How storages are scanned, as users choose it. */
export type ScanOptions = { cloneIndex: boolean; isDeltaScan: boolean }

export const defaultScanOptions: ScanOptions = { cloneIndex: true, isDeltaScan: true }

/** The options that a scan gets. A delta scan changes the index before it, so it always clones that index. */
export function effectiveOptions(options: ScanOptions, canScanDelta: boolean): ScanOptions {
  const isDeltaScan = canScanDelta && options.isDeltaScan
  return { isDeltaScan, cloneIndex: options.cloneIndex || isDeltaScan }
}
