import { posix } from 'node:path'
import { type FileStorageDraft, scanTypes } from '#events/sources/fileStorages.ts'
import type { VolumeRow } from './sourceTable.ts'

/** Common fields of sources whose folders are walked. */
type FolderDraft = Pick<
  FileStorageDraft,
  'path' | 'scanType' | 'storagePrice' | 'volumeIgnoreRules' | 'volumeIndexFolderOnlyPaths' | 'sizeBasis' | 'pace'
>

/** Columns of the volume's row. Duplicate rules are stored once. */
export const folderRow = (draft: FolderDraft) => ({
  path: plainPath(draft.path),
  scanType: draft.scanType,
  storagePriceId: draft.storagePrice?.id ?? null,
  ignoredPaths: pathsOf(draft.volumeIgnoreRules),
  indexFolderOnlyPaths: pathsOf(draft.volumeIndexFolderOnlyPaths),
  sizeBasis: draft.sizeBasis,
  pace: draft.pace,
})

/** Removes doubled slashes, dots and a trailing slash. */
export const plainPath = (path: string): string => posix.normalize(path).replace(/(.)\/+$/, '$1')

const pathsOf = (rules: { path: string }[]): string[] => [...new Set(rules.map(({ path }) => path))]

/** The draft of a volume's row. */
export const folderDraft = (row: VolumeRow): FolderDraft => ({
  path: row.path,
  scanType: scanTypes.find((type) => type === row.scanType) ?? 'VOLUME_MULTITHREAD',
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId },
  volumeIgnoreRules: row.ignoredPaths.map((path) => ({ path })),
  volumeIndexFolderOnlyPaths: row.indexFolderOnlyPaths.map((path) => ({ path })),
  sizeBasis: row.sizeBasis,
  pace: row.pace,
})
