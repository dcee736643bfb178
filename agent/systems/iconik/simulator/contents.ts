import { randomBytes } from 'node:crypto'
import type { Clock } from '#agent/simulator/clock.ts'
import { ApiError } from './answers.ts'
import type { Behavior, Readings, Role } from './options.ts'
import { newUploads, type StoredBytes } from './uploads/uploads.ts'

/** Application token of one user. */
type Token = { appId: string; userId: string; roles: Set<Role>; isRevoked: boolean }

const newCollection = (id: string, number: number) => ({
  id,
  title: `Collection ${number}`,
  status: 'ACTIVE' as 'ACTIVE' | 'HIDDEN' | 'DELETED',
  parentId: undefined as string | undefined,
  createdAt: '2025-01-01T10:00:00.000000',
  /** Ids of assets, in the order in which they were added. An asset that was added twice is there twice. */
  contents: [] as string[],
})
export type Collection = ReturnType<typeof newCollection>

export const storageMethods = ['FILE', 'HTTP', 'FTP', 'SFTP', 'S3', 'B2', 'GCS', 'PORTAL', 'CUSTOM', 'AZURE'] as const

/** Settings of a storage, with the names of the API. */
export type Settings = {
  write: boolean
  add_uuid_to_filenames: boolean
  mount_point?: string
  aggregate_identical_files?: boolean
}

/** Defaults of a storage, with the names of the API and facts that the API does not show. */
export const newStorage = (id: string, name: string) => ({
  id,
  name,
  method: 'S3' as (typeof storageMethods)[number],
  purpose: 'FILES' as 'FILES' | 'KEYFRAMES' | 'PROXIES',
  status: 'ACTIVE' as 'ACTIVE' | 'INACTIVE' | 'FAILING',
  status_message: null as string | null,
  /** The user of the tokens may write to it. */
  isAllowed: true,
  /** Message of a failed access check. New files of the storage have no upload address. */
  accessError: undefined as string | undefined,
  /** Names of files without keyframes. */
  ignorePattern: undefined as RegExp | undefined,
  /** Folder of this machine that the gateway of a FILE storage sees as its mount point. Without it, the gateway finds nothing. */
  folder: undefined as string | undefined,
})
export type Storage = ReturnType<typeof newStorage> & { settings: Settings }

export const fileStatuses = ['OPEN', 'CLOSED', 'FAILED', 'MISSING', 'REDISCOVERED', 'DELETED'] as const

type Format = { id: string; name: string; storage_methods: string[]; metadata: object[]; user_id?: string | undefined }
type FileSet = { id: string; name: string; base_dir: string; format_id: string; storage_id?: string | undefined }

/** Defaults of a file of an asset, with the names of the API. */
export const newFile = (id: string, assetId: string, originalName: string) => ({
  id,
  asset_id: assetId,
  name: originalName,
  original_name: originalName,
  directory_path: '',
  type: 'FILE' as 'FILE' | 'DIRECTORY' | 'SYMLINK',
  status: 'OPEN' as (typeof fileStatuses)[number],
  /** Number of bytes that the client declared. */
  size: undefined as number | undefined,
  progress_processed: 0,
  format_id: undefined as string | undefined,
  file_set_id: undefined as string | undefined,
  file_date_modified: undefined as string | undefined,
  storage: undefined as Storage | undefined,
  isFromGateway: false,
  /** Bytes that were uploaded completely. */
  stored: undefined as StoredBytes | undefined,
  /** Number of completed uploads. */
  uploadCount: 0,
})
export type AssetFile = ReturnType<typeof newFile>

const newAsset = (id: string, versionId: string, createdAt: number) => ({
  id,
  versionId,
  createdAt,
  title: '',
  externalId: undefined as string | undefined,
  status: 'ACTIVE' as 'ACTIVE' | 'DELETED',
  createdByUser: 'gateway',
  acls: { default: true, collection: false },
  formats: [] as Format[],
  fileSets: [] as FileSet[],
  files: [] as AssetFile[],
})
export type Asset = ReturnType<typeof newAsset>

/** A job that creates keyframes. */
type Job = { title: string; status: 'STARTED' | 'FINISHED' | 'FAILED' }

export type Iconik = ReturnType<typeof newIconik>

type Base = { clock: Clock; behavior: Behavior; readings: Readings }

/** Empty contents. `folder` is for the bytes of unfinished uploads. */
export function newIconik(base: Base, folder: () => string) {
  let count = 0
  return {
    ...base,
    tokens: new Map<string, Token>(),
    collections: new Map<string, Collection>(),
    storages: new Map<string, Storage>(),
    assets: new Map<string, Asset>(),
    jobs: new Map<string, Job>(),
    /** Number of assets that were created with each `external_id`, including deleted ones. */
    externalIds: new Map<string, number>(),
    scrolls: new Map<string, object[]>(),
    uploads: newUploads(folder, randomBytes(16).toString('hex')),
    newId: () => `5f0c0000-0000-11ee-8000-${(++count).toString(16).padStart(12, '0')}`,
  }
}

/** Adds an asset. Without a user, the gateway made it. */
export function addAsset({ assets, externalIds, clock, newId }: Iconik, values: Partial<Asset>): Asset {
  const asset = { ...newAsset(newId(), newId(), clock.now()), ...values }
  assets.set(asset.id, asset)
  const { externalId } = asset
  if (externalId !== undefined) externalIds.set(externalId, (externalIds.get(externalId) ?? 0) + 1)
  return asset
}

/** Path of a file on its storage, relative to the mount point or bucket. A leading slash stays. */
export const pathOf = ({ directory_path: directory, original_name: name }: AssetFile): string =>
  directory === '' ? name : `${directory.replace(/\/+$/, '')}/${name}`

/** Files that exist, of assets that exist. */
export const filesOf = ({ assets }: Iconik): AssetFile[] =>
  [...assets.values()]
    .filter(({ status }) => status === 'ACTIVE')
    .flatMap(({ files }) => files)
    .filter(({ status }) => status !== 'DELETED')

/** Object of an id. Throws the answer to an unknown one. */
export function find<T extends { status?: string }>(objects: Map<string, T>, id: string, kind: string): T {
  const found = objects.get(id)
  if (found === undefined) throw new ApiError(404, `${kind} ${id} does not exist`)
  return found
}

export function findAsset({ assets }: Iconik, id = ''): Asset {
  const asset = find(assets, id, 'Asset')
  if (asset.status === 'DELETED') throw new ApiError(404, `Asset ${id} does not exist`)
  return asset
}

export function findFile(iconik: Iconik, [assetId, id]: string[]): AssetFile {
  const file = findAsset(iconik, assetId).files.find((file) => file.id === id)
  if (!file || file.status === 'DELETED') throw new ApiError(404, `File ${id} does not exist`)
  return file
}

export function addCollection({ collections, newId }: Iconik, values: Partial<Collection> = {}): Collection {
  const collection = { ...newCollection(newId(), collections.size + 1), ...values }
  collections.set(collection.id, collection)
  return collection
}

const titles = [
  'Dailies',
  'dailies',
  'Ünder äö',
  '日本語 🎬',
  '100% done',
  'A/B',
  ' ',
  'Archive "2025"',
  "O'Brien's cut",
]

/** Adds this number of collections, always the same ones: every tenth is at the top, titles repeat, some are hidden or deleted. */
export function fillCollections(iconik: Iconik, count: number): void {
  let top: Collection | undefined
  for (let i = 0; i < count; i++) {
    const status = i % 50 === 49 ? 'DELETED' : i % 50 === 48 ? 'HIDDEN' : 'ACTIVE'
    const parentId = i % 10 === 0 ? undefined : top?.id
    const collection = addCollection(iconik, { title: titles[i % titles.length] ?? '', status, parentId })
    if (i % 10 === 0) top = collection
  }
}

/** Collections from the top to this one. */
export function ancestry({ collections }: Iconik, collection: Collection): Collection[] {
  const chain = [collection]
  for (let at = collections.get(collection.parentId ?? ''); at; at = collections.get(at.parentId ?? ''))
    chain.unshift(at)
  return chain
}
