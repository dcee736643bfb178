import { z } from 'zod'
import { crud } from './endpoint.ts'
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
  volumeIgnoreRules: z.array(Rule).max(1_000).default([]),
  volumeIndexFolderOnlyPaths: z.array(Rule).max(1_000).default([]),
})
export type VolumeSettingDraft = z.infer<typeof VolumeSettingDraft>

export const VolumeSetting = VolumeSettingDraft.extend({
  id: z.int(),
  server: z.object({ id: z.int(), name: z.string() }),
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

export const volumeSettings = crud('/volumeSettings', {
  entity: VolumeSetting,
  draft: VolumeSettingDraft,
  query: z.intersection(PageQuery, TypeFilter),
  one: 'File Storage',
  many: 'File Storages',
  needs: 'settings.edit',
})
