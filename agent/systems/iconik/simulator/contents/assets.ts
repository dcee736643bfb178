import type { StoredBytes } from '../uploads/pieces.ts'
import { type Base, isoTime } from './base.ts'
import type { Storage } from './storages.ts'

export const fileStatuses = [
  'OPEN',
  'GROWING',
  'AWAITED',
  'CLOSED',
  'FAILED',
  'ARCHIVED',
  'MISSING',
  'REDISCOVERED',
  'DELETED',
] as const

type FileStatus = (typeof fileStatuses)[number]

export type Format = {
  id: string
  name: string
  storageMethods: string[]
  metadata: object[]
  userId: string | undefined
  versionId: string
}

export type FileSet = {
  id: string
  name: string
  baseDirectory: string
  formatId: string
  componentIds: string[]
  storageId: string | undefined
  /** Storages to which it was transferred. */
  copies: string[]
  versionId: string
}

/** A file of an asset. `size` is the number that the client declared, in bytes. */
export type AssetFile = {
  id: string
  assetId: string
  name: string
  originalName: string
  directoryPath: string
  type: string
  status: FileStatus
  size: number | undefined
  progress: number
  checksum: string | undefined
  createdDate: string | undefined
  modifiedDate: string | undefined
  storage: Storage | undefined
  formatId: string | undefined
  fileSetId: string | undefined
  versionId: string
  isFromGateway: boolean
  /** Bytes that were uploaded completely. */
  stored: StoredBytes | undefined
  /** Number of completed uploads. */
  uploadCount: number
}

export type Asset = {
  id: string
  title: string
  type: string
  externalId: string | undefined
  status: 'ACTIVE' | 'DELETED'
  createdByUser: string
  versionId: string
  createdAt: string
  createdMs: number
  acls: { default: boolean; collection: boolean }
  formats: Format[]
  fileSets: FileSet[]
  files: AssetFile[]
}

export type Assets = {
  assets: Map<string, Asset>
  /** Number of assets that were created with each `external_id`, including deleted ones. */
  externalIds: Map<string, number>
}

type NewAsset = Pick<Asset, 'title' | 'externalId' | 'createdByUser'> & Partial<Pick<Asset, 'acls' | 'type'>>

export function addAsset(iconik: Base & Assets, values: NewAsset): Asset {
  const { assets, externalIds, clock, newId } = iconik
  const asset: Asset = {
    type: 'ASSET',
    acls: { default: true, collection: false },
    ...values,
    id: newId(),
    status: 'ACTIVE',
    versionId: newId(),
    createdAt: isoTime(iconik),
    createdMs: clock.now(),
    formats: [],
    fileSets: [],
    files: [],
  }
  assets.set(asset.id, asset)
  const { externalId } = asset
  if (externalId !== undefined) externalIds.set(externalId, (externalIds.get(externalId) ?? 0) + 1)
  return asset
}

/** Path of a file on its storage, relative to the mount point or bucket. A leading slash stays. */
export const pathOf = ({ directoryPath, originalName }: AssetFile): string =>
  directoryPath === '' ? originalName : `${directoryPath.replace(/\/+$/, '')}/${originalName}`

/** Files that exist, of assets that exist. */
export const filesOf = ({ assets }: Pick<Assets, 'assets'>): AssetFile[] =>
  [...assets.values()]
    .filter(({ status }) => status === 'ACTIVE')
    .flatMap(({ files }) => files)
    .filter(({ status }) => status !== 'DELETED')

/** Name of a file at B2, with its folder. */
export const uploadFilename = (file: AssetFile): string =>
  [file.directoryPath.replace(/\/+$/, ''), file.name].filter(Boolean).join('/')
