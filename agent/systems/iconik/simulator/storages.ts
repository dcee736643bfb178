import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  addAsset,
  type AssetFile,
  filesOf,
  type Iconik,
  newFile,
  newStorage,
  pathOf,
  type Settings,
  type Storage,
  storageMethods,
} from './contents.ts'

export type NewStorage = Partial<Omit<Storage, 'id' | 'settings'>> & { settings?: Partial<Settings> }

export function addStorage({ storages, newId }: Iconik, { settings, ...values }: NewStorage = {}): Storage {
  const { method = 'S3' } = values
  const storage: Storage = {
    ...newStorage(newId(), `${method} ${storages.size + 1}`),
    ...values,
    settings: {
      write: true,
      add_uuid_to_filenames: method !== 'FILE',
      ...(method === 'FILE' ? { mount_point: '/mnt/media', aggregate_identical_files: false } : {}),
      ...settings,
    },
  }
  storages.set(storage.id, storage)
  return storage
}

/** Two usable storages of each method, such as `S3 1` and `S3 2`, and others that can't be used. */
export function fillStorages(iconik: Iconik): void {
  for (const method of storageMethods)
    for (const number of [1, 2]) addStorage(iconik, { method, name: `${method} ${number}` })
  addStorage(iconik, { name: 'Inactive', status: 'INACTIVE' })
  addStorage(iconik, { name: 'Failing', status: 'FAILING', status_message: 'Access to the bucket was denied' })
  addStorage(iconik, { name: 'Read-only', settings: { write: false } })
  addStorage(iconik, { name: 'No access', accessError: 'The specified bucket does not exist' })
  addStorage(iconik, { name: 'Not allowed', isAllowed: false })
  addStorage(iconik, { name: 'Keyframes', purpose: 'KEYFRAMES' })
  addStorage(iconik, { name: 'Proxies', purpose: 'PROXIES', method: 'GCS' })
}

/**
 * A scan of the storage's gateway: registers files that it finds under these directories or at these paths, and marks registered files that
 * do not exist as MISSING. Paths are relative to the mount point.
 */
export function scanStorage(iconik: Iconik, storage: Storage, paths: readonly string[] = ['']): void {
  const { folder } = storage
  if (folder === undefined || storage.method !== 'FILE') return
  const registered = filesOf(iconik).filter((file) => file.storage === storage)
  for (const file of registered) {
    const isThere = isOnGateway(file)
    if (!isThere && file.status === 'CLOSED') file.status = 'MISSING'
    if (isThere && file.status === 'MISSING') file.status = 'REDISCOVERED'
  }
  for (const found of paths.flatMap((path) => filesBelow(join(folder, path)))) {
    const path = relative(folder, found)
    if (!isKnown(iconik, storage, path, registered)) register(iconik, storage, path)
  }
}

/** The gateway sees a file at the path under which it is registered. Paths with a leading slash lead nowhere. */
export function isOnGateway(file: AssetFile): boolean {
  const path = pathOf(file)
  const folder = file.storage?.folder
  return folder !== undefined && !path.startsWith('/') && existsSync(join(folder, path))
}

function isKnown({ readings }: Iconik, storage: Storage, path: string, registered: AssetFile[]): boolean {
  const same = registered.filter((file) => pathOf(file) === path)
  if (same.some(({ isFromGateway }) => isFromGateway)) return true
  if (readings.gatewayRecognizes === 'none') return false
  const isOn = readings.gatewayRecognizes === 'all' || storage.settings.aggregate_identical_files === true
  return isOn && same.length > 0
}

function register(iconik: Iconik, storage: Storage, path: string): void {
  const title = basename(path)
  const asset = addAsset(iconik, { title })
  const directory = dirname(path)
  const { size, mtime } = statSync(join(storage.folder ?? '', path))
  asset.files.push({
    ...newFile(iconik.newId(), asset.id, title),
    directory_path: directory === '.' ? '' : directory,
    status: 'CLOSED',
    size,
    progress_processed: 100,
    file_date_modified: mtime.toISOString(),
    storage,
    isFromGateway: true,
  })
}

function filesBelow(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile()) return [path]
  const names = stats?.isDirectory() ? readdirSync(path).sort() : []
  return names.flatMap((name) => filesBelow(join(path, name)))
}
