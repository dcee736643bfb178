/** Options of a scan as users select them. */
export type ScanOptions = { cloneIndex: boolean; isDeltaScan: boolean }

export const defaultScanOptions: ScanOptions = { cloneIndex: true, isDeltaScan: true }

/** The effective options of a scan. A delta scan changes the index before it, so it always clones that index. */
export function effectiveOptions(options: ScanOptions, canScanDelta: boolean): ScanOptions {
  const isDeltaScan = canScanDelta && options.isDeltaScan
  return { isDeltaScan, cloneIndex: options.cloneIndex || isDeltaScan }
}
