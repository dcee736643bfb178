import { posix } from 'node:path'
import { type FileStorageDraft, scanTypes } from '#events/sources/fileStorages.ts'
import type { Stored, VolumeRow } from './sourceTable.ts'

/** What sources have in common whose folders are walked. */
type FolderDraft = Pick<
  Stored<FileStorageDraft>,
  'path' | 'scanType' | 'storagePrice' | 'volumeIgnoreRules' | 'volumeIndexFolderOnlyPaths'
>

/** What the row of a volume keeps of it; rules given twice count once. */
export const folderRow = (draft: FolderDraft) => ({
  path: plainPath(draft.path),
  scanType: draft.scanType,
  storagePriceId: draft.storagePrice?.id ?? null,
  ignoredPaths: pathsOf(draft.volumeIgnoreRules),
  indexFolderOnlyPaths: pathsOf(draft.volumeIndexFolderOnlyPaths),
})

/** Without doubled slashes, dots and a slash at its end. */
export const plainPath = (path: string): string => posix.normalize(path).replace(/(.)\/+$/, '$1')

const pathsOf = (rules: { path: string }[]): string[] => [...new Set(rules.map(({ path }) => path))]

/** The same back from the row. */
export const folderDraft = (row: VolumeRow): FolderDraft => ({
  path: row.path,
  scanType: scanTypes.find((type) => type === row.scanType) ?? 'VOLUME_MULTITHREAD',
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId },
  volumeIgnoreRules: row.ignoredPaths.map((path) => ({ path })),
  volumeIndexFolderOnlyPaths: row.indexFolderOnlyPaths.map((path) => ({ path })),
})
