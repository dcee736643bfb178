import { posix } from 'node:path'
import type { Selectable } from 'kysely'
import type { ShareType } from '#events/mount-rules.ts'
import { type VolumeSetting, type VolumeSettingDraft, scanTypes } from '#events/volume-settings.ts'
import type { Tables } from '#server/platform/tables.ts'

type Row = Selectable<Tables['volumes']>

/** What the table keeps of a draft; rules given twice count once. */
export const rowOf = (draft: VolumeSettingDraft) => ({
  name: draft.name,
  path: plain(draft.path),
  agentId: draft.server.id,
  scanType: draft.scanType,
  storagePriceId: draft.storagePrice?.id ?? null,
  ignoredPaths: paths(draft.volumeIgnoreRules),
  indexFolderOnlyPaths: paths(draft.volumeIndexFolderOnlyPaths),
})

/** Without doubled slashes, dots and a slash at its end. */
const plain = (path: string): string => posix.normalize(path).replace(/(.)\/+$/, '$1')

const paths = (rules: { path: string }[]): string[] => [...new Set(rules.map(({ path }) => path))]

export const draftOf = (row: Row): VolumeSettingDraft => ({
  name: row.name,
  path: row.path,
  type: 'crawl.files',
  server: { id: row.agentId },
  scanType: scanTypes.find((type) => type === row.scanType) ?? 'VOLUME_MULTITHREAD',
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId },
  volumeIgnoreRules: row.ignoredPaths.map((path) => ({ path })),
  volumeIndexFolderOnlyPaths: row.indexFolderOnlyPaths.map((path) => ({ path })),
})

/** A row with the names of what it refers to. */
type NamedRow = Row & { agentName: string; priceBook: string | null; shareType: ShareType | null }

export const settingOf = (row: NamedRow): VolumeSetting => ({
  ...draftOf(row),
  id: row.id,
  type: row.type === 'NetworkVolume' ? 'NetworkVolume' : 'crawl.files',
  server: { id: row.agentId, name: row.agentName },
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId, description: row.priceBook ?? '' },
  mountType: row.shareType ?? 'Local',
})
