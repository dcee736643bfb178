import type { ObjectStore } from '#events/scans/order.ts'
import type { CountedVersions } from './s3/versions.ts'
import type { Capacity, ObjectSystem } from './system.ts'

/** A store that is open until it is closed. */
export type OpenedStore = ObjectSystem & {
  /** Throws when what is scanned is not there, or may not be listed. */
  check(signal: AbortSignal): Promise<void>
  capacity?(signal: AbortSignal): Promise<Capacity | undefined>
  /** What a listing of the current objects leaves out. */
  versions?(signal: AbortSignal): Promise<CountedVersions>
  /** The moment that pages show, where that is not when they are read. */
  takenAt?(): string | undefined
  close(): void
}

type Provider = {
  /** Opens what lies below the scanned path, '' or '/some/folder'. Throws `ScanFailed` for what cannot be a store. */
  open(store: ObjectStore, scannedPath: string): Promise<OpenedStore>
  /** The names of the buckets of a store without one. Dropbox has none: it is looked whether the folder can be listed. */
  names(store: ObjectStore, signal: AbortSignal): Promise<string[]>
}

const prefixOf = (scannedPath: string): string => (scannedPath === '' ? '' : `${scannedPath.slice(1)}/`)

// Clients are large, and loaded by agents that need them.
const s3: Provider = {
  async open(store, scannedPath) {
    const { openS3, signInOf } = await import('./s3/index.ts')
    const { bucket, inventory } = store
    return openS3({ ...signInOf(store), bucket, inventory, prefix: prefixOf(scannedPath) })
  },
  async names(store, signal) {
    const { bucketNames, signInOf } = await import('./s3/index.ts')
    return bucketNames(signInOf(store), signal)
  },
}

const azure: Provider = {
  async open({ accessKey: connectionString, bucket: container }, scannedPath) {
    const { openAzure } = await import('./azure/index.ts')
    return openAzure({ connectionString, container, prefix: prefixOf(scannedPath) })
  },
  async names({ accessKey: connectionString }, signal) {
    const { containerNames } = await import('./azure/index.ts')
    return containerNames(connectionString, signal)
  },
}

const dropbox: Provider = {
  async open({ url, accessKey: refreshToken, privateKey: appKey, path }, scannedPath) {
    const { openDropbox } = await import('./dropbox/index.ts')
    return openDropbox({ url, refreshToken, appKey, path, scannedPath })
  },
  async names({ url, accessKey: refreshToken, privateKey: appKey, path }, signal) {
    const { dropboxCheck } = await import('./dropbox/index.ts')
    await dropboxCheck({ url, refreshToken, appKey, path }, signal)
    return []
  },
}

/** How each type of store is listed. */
export const objectStores: Record<ObjectStore['type'], Provider> = {
  S3: s3,
  ORACLE_OBJECT_STORAGE: s3,
  BACKBLAZE_B2: s3,
  WASABI: s3,
  OTHER: s3,
  AZURE: azure,
  DROPBOX: dropbox,
}
