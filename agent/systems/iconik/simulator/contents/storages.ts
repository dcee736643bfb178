import type { Base } from './base.ts'

export const storageMethods = ['FILE', 'HTTP', 'FTP', 'SFTP', 'S3', 'B2', 'GCS', 'PORTAL', 'CUSTOM', 'AZURE'] as const
export const storagePurposes = ['KEYFRAMES', 'FILES', 'PROXIES', 'EXPORTS', 'ARCHIVE', 'FACES'] as const
export const storageStatuses = ['ACTIVE', 'INACTIVE', 'FAILING'] as const

type StorageMethod = (typeof storageMethods)[number]

/** Settings, under the names of the API. Paths of `scan_directories` are relative to the mount point. */
type StorageSettings = {
  read: boolean
  write: boolean
  delete: boolean
  scan: boolean
  scan_directories: string[]
  scan_ignore: string[]
  add_uuid_to_filenames: boolean
  mount_point?: string
  scan_interval_seconds?: number
  aggregate_identical_files?: boolean
}

export type Storage = {
  id: string
  name: string
  method: StorageMethod
  purpose: (typeof storagePurposes)[number]
  status: (typeof storageStatuses)[number]
  statusMessage: string | undefined
  settings: StorageSettings
  /** The user of the tokens may write to it. */
  isAllowed: boolean
  /** Message of a failed access check. New files of the storage have no upload address. */
  accessError: string | undefined
  /** Names of files without keyframes. */
  ignorePattern: RegExp | undefined
  /** Folder of this machine that the gateway of a FILE storage sees as its mount point. Without it the gateway finds nothing. */
  folder: string | undefined
  lastScanned: string | undefined
}

export type Storages = { storages: Map<string, Storage> }

export type NewStorage = Partial<Omit<Storage, 'id' | 'settings'>> & { settings?: Partial<StorageSettings> }

export function addStorage({ storages, newId }: Base & Storages, { settings, ...values }: NewStorage = {}): Storage {
  const id = newId()
  const { method = 'S3' } = values
  const ofGateway = { mount_point: '/mnt/media', scan_interval_seconds: 5, aggregate_identical_files: false }
  const storage: Storage = {
    name: `${method} ${storages.size + 1}`,
    purpose: 'FILES',
    status: 'ACTIVE',
    statusMessage: undefined,
    isAllowed: true,
    accessError: undefined,
    ignorePattern: undefined,
    folder: undefined,
    lastScanned: undefined,
    ...values,
    id,
    method,
    settings: {
      read: true,
      write: true,
      delete: true,
      scan: false,
      scan_directories: [],
      scan_ignore: [],
      add_uuid_to_filenames: method !== 'FILE',
      ...(method === 'FILE' ? ofGateway : {}),
      ...settings,
    },
  }
  storages.set(id, storage)
  return storage
}

/** Two usable storages of each method, such as `S3 1` and `S3 2`, and others that can't be used. */
export function fillStorages(iconik: Base & Storages): void {
  for (const method of storageMethods)
    for (const number of [1, 2]) addStorage(iconik, { method, name: `${method} ${number}` })
  addStorage(iconik, { name: 'Inactive', status: 'INACTIVE' })
  addStorage(iconik, { name: 'Failing', status: 'FAILING', statusMessage: 'Access to the bucket was denied' })
  addStorage(iconik, { name: 'Read-only', settings: { write: false } })
  addStorage(iconik, { name: 'No access', accessError: 'The specified bucket does not exist' })
  addStorage(iconik, { name: 'Not allowed', isAllowed: false })
  addStorage(iconik, { name: 'Keyframes', purpose: 'KEYFRAMES' })
  addStorage(iconik, { name: 'Proxies', purpose: 'PROXIES', method: 'GCS' })
}
