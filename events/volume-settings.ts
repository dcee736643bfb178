import { z } from 'zod'
import { crud } from './endpoint.ts'
import { shareTypes } from './mount-rules.ts'
import { PageQuery } from './page.ts'

export const scanTypes = ['VOLUME_MULTITHREAD', 'FOLDER_MULTITHREAD', 'HYBRID_MULTITHREAD'] as const

const Rule = z.object({ path: z.string().trim().min(1, 'must not be blank').max(4_096) })

/** A file storage as it is set up: where it lies, which agent scans it, and what a scan leaves out. */
export const VolumeSettingDraft = z.object({
  name: z.string().trim().min(1, "can't be empty").max(255),
  path: z.string().trim().min(1, "can't be empty").max(4_096).startsWith('/', 'must be an absolute path'),
  type: z.literal('crawl.files').default('crawl.files'),
  server: z.object({ id: z.int().min(1) }).default({ id: 1 }),
  scanType: z.enum(scanTypes).default('VOLUME_MULTITHREAD'),
  /** The price book; what has none costs nothing and says so. */
  storagePrice: z.object({ id: z.int() }).nullable().default(null),
  volumeIgnoreRules: z.array(Rule).max(1_000).default([]),
  volumeIndexFolderOnlyPaths: z.array(Rule).max(1_000).default([]),
})
export type VolumeSettingDraft = z.infer<typeof VolumeSettingDraft>

/** How the folder of a storage is reached: it is there, or a share is mounted for the scan. */
export const mountTypes = ['Local', ...shareTypes] as const

export const VolumeSetting = VolumeSettingDraft.extend({
  id: z.int(),
  type: z.enum(['crawl.files', 'NetworkVolume']),
  server: z.object({ id: z.int(), name: z.string() }),
  storagePrice: z.object({ id: z.int(), description: z.string() }).nullable(),
  mountType: z.enum(mountTypes),
})
export type VolumeSetting = z.infer<typeof VolumeSetting>

/** The kinds of file storage that a list may be filtered by; `filterType` may repeat, and unknown kinds are ignored. */
export const volumeTypes = ['crawl.files', 'NetworkVolume'] as const
const TypeFilter = z.object({
  filterType: z.preprocess(
    (words) => [words].flat().filter((word) => (volumeTypes as readonly unknown[]).includes(word)),
    z.array(z.enum(volumeTypes)),
  ),
})

const table = crud('/volumeSettings', {
  entity: VolumeSetting,
  draft: VolumeSettingDraft,
  query: z.intersection(PageQuery, TypeFilter),
  one: 'File Storage',
  many: 'File Storages',
  needs: 'settings.edit',
})
/** What is said when one cannot be changed or deleted, and why is not known. */
export const volumeFailures = {
  update: 'Unable to update volume for id [{id}]',
  remove: 'Unable to delete volume for id [{id}]',
} as const
export const volumeSettings = {
  ...table,
  update: { ...table.update, failure: volumeFailures.update },
  remove: { ...table.remove, failure: volumeFailures.remove },
}
