import type { ObjectStore, S3Store } from '#events/sources/buckets.ts'
import type { OpenedStore } from './system.ts'

const prefixOf = (scannedPath: string): string => (scannedPath === '' ? '' : `${scannedPath.slice(1)}/`)

/**
 * Opens what is below the scanned path, '' or '/some/folder', of a store. Throws `ScanFailed` for keys and names that can't be those
 * of a store. Clients are large: an agent loads those that it needs.
 */
export async function openStore(store: ObjectStore, scannedPath: string): Promise<OpenedStore> {
  switch (store.type) {
    case 'AZURE': {
      const { openAzure } = await import('./azure/index.ts')
      return openAzure({ ...store, prefix: prefixOf(scannedPath) })
    }
    case 'DROPBOX': {
      const { openDropbox } = await import('./dropbox/index.ts')
      return openDropbox({ ...store, scannedPath })
    }
    default: {
      const { openS3 } = await import('./s3/index.ts')
      const { bucket, inventory } = store
      return openS3({ ...signInOf(store), bucket, inventory, prefix: prefixOf(scannedPath) })
    }
  }
}

/** The names of the buckets that the keys of a store may list, in order. Dropbox has none. */
export async function namesOfBuckets(store: ObjectStore, signal: AbortSignal): Promise<string[]> {
  switch (store.type) {
    case 'AZURE': {
      const { containerNames } = await import('./azure/index.ts')
      return containerNames(store.connectionString, signal)
    }
    case 'DROPBOX':
      return []
    default: {
      const { bucketNames } = await import('./s3/index.ts')
      return bucketNames(signInOf(store), signal)
    }
  }
}

/** Throws the reason why a store can't be listed. */
export async function checkStore(store: ObjectStore, signal: AbortSignal): Promise<void> {
  if (store.type === 'DROPBOX') {
    const { dropboxCheck } = await import('./dropbox/index.ts')
    return dropboxCheck(store, signal)
  }
  const opened = await openStore(store, '')
  await opened.check(signal).finally(() => opened.close())
}

/** A store without its bucket: failures would name the bucket. */
function signInOf({ type, region, namespace, endpoint, accessKey, secretKey, requestsPerSecond }: S3Store) {
  const pace = requestsPerSecond === undefined ? {} : { requestsPerSecond }
  return { type, region, namespace, endpoint, accessKey, secretKey, ...pace }
}
