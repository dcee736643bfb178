import { pathRules } from '#events/scans/rules.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'

/** Paths that a scan leaves out, and those below which it records folders only. Without rules no path is built. */
export function rulesOf({
  ignoredPaths,
  indexFolderOnlyPaths,
}: Pick<ScanOrder, 'ignoredPaths' | 'indexFolderOnlyPaths'>) {
  const isIgnored = pathRules(ignoredPaths)
  const isFoldersOnly = pathRules(indexFolderOnlyPaths)
  return {
    /** False if no path is left out: then callers need not check, nor build a name for it. */
    haveIgnored: ignoredPaths.length > 0,
    leavesOut: (parentPath: string, name: string) => ignoredPaths.length > 0 && isIgnored(parentPath + name),
    recordsFilesIn: (folder: string) => indexFolderOnlyPaths.length === 0 || !isFoldersOnly(folder),
  }
}
