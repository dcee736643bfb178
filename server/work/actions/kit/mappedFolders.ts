import { rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import { isPrefix, pathWithin } from '#events/sources/pathMapping.ts'

type MappedStorage = { path: string; share: ShareAddress | null; dataintellPath: string }

/**
 * Adds to the mappings of storages the mapped folder as entries have it: `''` for all of the storage, otherwise `/a/b`. Mappings that are no
 * longer in their storage are left out, since the path of a storage may have changed since.
 */
export const withFolders = <R extends MappedStorage>(rows: readonly R[]): (R & { folder: string })[] =>
  rows.flatMap((row) => {
    const root = rootPath(row.path, row.share)
    return isPrefix(root, row.dataintellPath) ? [{ ...row, folder: pathWithin(root, row.dataintellPath) }] : []
  })
