import { z } from 'zod'
import { isText } from '#events/contract/fileNames.ts'
import { nameText } from '#events/contract/names.ts'
import { filledPath } from '#events/contract/blank.ts'
import { crud } from '#events/contract/endpoint.ts'
import { shareTypes } from './mountRules.ts'
import { PageQuery } from '#events/contract/page.ts'
import { PriceDay } from '#events/price-books.ts'
import { typesOf } from './kinds.ts'
import { PaceOfLookups } from '#events/contract/pace.ts'
import { SizeBasis } from '../contract/sizeBasis.ts'

/**
 * The price book of a storage; null for none: its cost is unknown then, not 0. It applies from `since` on, which may be an earlier day
 * of an open month; days before keep theirs.
 */
export const PriceBookOfStorage = z.object({ id: z.int(), since: PriceDay }, "can't be empty").nullable()
export type PriceBookOfStorage = z.infer<typeof PriceBookOfStorage>

export const scanTypes = ['VOLUME_MULTITHREAD', 'FOLDER_MULTITHREAD', 'HYBRID_MULTITHREAD'] as const

/**
 * Changes that policies may make to the files of a storage, each with those before it: none, move them to quarantine and back, delete them from
 * there. The agent of the storage must allow them as well.
 */
export const policyActions = ['nothing', 'quarantine', 'delete'] as const
export type PolicyActions = (typeof policyActions)[number]

const Rule = z.object({ path: filledPath('must not be blank') })

/** Settings of a file storage: its location, the agent that scans it, and the paths that a scan leaves out. */
export const FileStorageDraft = z.object({
  name: nameText({ blank: "can't be empty" }),
  path: filledPath("can't be empty").startsWith('/', 'must be an absolute path'),
  type: z.literal('crawl.files').default('crawl.files'),
  server: z.object({ id: z.int().min(1) }).default({ id: 1 }),
  scanType: z.enum(scanTypes).default('VOLUME_MULTITHREAD'),
  storagePrice: PriceBookOfStorage,
  volumeIgnoreRules: z.array(Rule).max(1_000).default([]),
  volumeIndexFolderOnlyPaths: z.array(Rule).max(1_000).default([]),
  /** Scans enter file systems that are mounted below the folder. They never enter those of the kernel, such as /proc. */
  includesMountedFileSystems: z.boolean().default(false),
  policyActions: z.enum(policyActions).default('nothing'),
  /** The agent reports changes between scans, as far as the system lets it see them. */
  followsChanges: z.boolean().default(false),
  /** After a scan, the agent reads what is inside new and changed media files. */
  readMedia: z.boolean().default(false),
  sizeBasis: SizeBasis.default('onDisk'),
  pace: PaceOfLookups,
})
export type FileStorageDraft = z.infer<typeof FileStorageDraft>

/** Access to the folder of a storage: local, or a share that is mounted for the scan. */
export const mountTypes = ['Local', ...shareTypes] as const

export const FileStorage = FileStorageDraft.extend({
  id: z.int(),
  /** Storages of other kinds are in the list, too: their paths are no folders, and their own calls change them. */
  path: z.string(),
  type: z.string(),
  server: z.object({ id: z.int(), name: z.string() }),
  /** With the current price per GB and year, without those of storage classes. */
  storagePrice: z
    .object({ id: z.int(), description: z.string(), currencySymbol: z.string(), price: z.number() })
    .nullable(),
  /** Null for storages of other kinds. */
  mountType: z.enum(mountTypes).nullable(),
})
export type FileStorage = z.infer<typeof FileStorage>

export const fileStorageTypes = typesOf(({ scannedBy }) => scannedBy === 'SCAN_ON_PREMISES')

/** Filter for a list of storages, of any type without it. `filterType` may repeat. */
const TypeFilter = z.object({
  filterType: z.preprocess(
    (words) => (words === undefined || words === '' ? undefined : [words].flat()),
    z.array(z.string().max(100).refine(isText, 'has an invalid character')).max(100).optional(),
  ),
})

/** Messages for a change or deletion that failed for an unknown reason. */
export const sourceFailures = {
  update: 'Unable to update volume for id [{id}]',
  remove: 'Unable to delete volume for id [{id}]',
}

export const fileStorages = crud('/volumeSettings', {
  entity: FileStorage,
  draft: FileStorageDraft,
  query: z.intersection(PageQuery, TypeFilter),
  one: 'File Storage',
  many: 'File Storages',
  needs: 'settings.edit',
  failures: sourceFailures,
})

/** A folder of the agent's own machine. */
export const FileStorageOrder = z.object({ kind: z.literal('fileStorage'), path: z.string() })
export type FileStorageOrder = z.infer<typeof FileStorageOrder>
