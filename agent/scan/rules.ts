import { pathRules } from '#events/scans/rules.ts'
import type { ScanOrder } from '#events/scans/order.ts'

/** Which paths a scan leaves out, and below which it records folders only. Without rules no path is put together. */
export function rulesOf({ ignoredPaths, indexFolderOnlyPaths }: ScanOrder) {
  const isIgnored = pathRules(ignoredPaths)
  const isFoldersOnly = pathRules(indexFolderOnlyPaths)
  return {
    /** Whether any path is left out: if not, nobody has to ask, and no name has to be made for it. */
    haveIgnored: ignoredPaths.length > 0,
    leavesOut: (parentPath: string, name: string) => ignoredPaths.length > 0 && isIgnored(parentPath + name),
    recordsFilesIn: (folder: string) => indexFolderOnlyPaths.length === 0 || !isFoldersOnly(folder),
  }
}
