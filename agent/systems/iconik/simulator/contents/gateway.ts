import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { addAsset, type AssetFile, filesOf, pathOf } from './assets.ts'
import { isoTime } from './base.ts'
import type { Iconik } from './iconik.ts'
import type { Storage } from './storages.ts'

/**
 * A scan of the storage's gateway: registers files that it finds under these directories or at these paths, and marks registered files that
 * do not exist as MISSING. Paths are relative to the mount point.
 */
export function scanStorage(iconik: Iconik, storage: Storage, paths: readonly string[] = []): void {
  const { folder } = storage
  storage.lastScanned = isoTime(iconik)
  if (folder === undefined || storage.method !== 'FILE') return
  const registered = filesOf(iconik).filter((file) => file.storage === storage)
  for (const file of registered) {
    const isThere = isOnGateway(file)
    if (!isThere && file.status === 'CLOSED') file.status = 'MISSING'
    if (isThere && file.status === 'MISSING') file.status = 'REDISCOVERED'
  }
  const scanned = paths.length > 0 ? paths : storage.settings.scan_directories
  for (const path of scanned.length > 0 ? scanned : ['']) {
    for (const found of filesBelow(join(folder, path)).map((file) => relative(folder, file)))
      if (!isKnown(iconik, storage, found, registered)) register(iconik, storage, found)
  }
}

/** The gateway sees a file at the path under which it is registered. Paths with a leading slash lead nowhere. */
export function isOnGateway(file: AssetFile): boolean {
  const path = pathOf(file)
  const folder = file.storage?.folder
  return folder !== undefined && !path.startsWith('/') && existsSync(join(folder, path))
}

/** Scans again and again, while the storage has `scan` and a folder. */
export function scanRegularly(iconik: Iconik, storage: Storage): void {
  if (storage.method !== 'FILE') return
  const { scan_interval_seconds: seconds = 5 } = storage.settings
  iconik.clock.after(seconds * 1_000, () => {
    if (storage.settings.scan) scanStorage(iconik, storage)
    scanRegularly(iconik, storage)
  })
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
  const asset = addAsset(iconik, { title, externalId: undefined, createdByUser: 'gateway' })
  const directory = dirname(path)
  const { size, mtime } = statSync(join(storage.folder ?? '', path))
  const time = isoTime(iconik)
  asset.files.push({
    id: iconik.newId(),
    assetId: asset.id,
    name: title,
    originalName: title,
    directoryPath: directory === '.' ? '' : directory,
    type: 'FILE',
    status: 'CLOSED',
    size,
    progress: 100,
    checksum: undefined,
    createdDate: time,
    modifiedDate: mtime.toISOString(),
    storage,
    formatId: undefined,
    fileSetId: undefined,
    versionId: asset.versionId,
    isFromGateway: true,
    stored: undefined,
    uploadCount: 0,
  })
}

function filesBelow(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile()) return [path]
  return stats?.isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesBelow(join(path, name)))
    : []
}
