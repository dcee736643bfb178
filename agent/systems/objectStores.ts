import type { EntryRow } from '#events/scans/entryRow.ts'
import type { ObjectStore, S3Store } from '#events/sources/buckets.ts'
import { atField, type OpenedStore, ScanFailed } from './system.ts'

/** The prefix of the keys below a folder, 'films/2024' or '', and a path in it, '/some/folder' or ''. */
const prefixOf = (folder: string, scannedPath: string): string =>
  [folder, scannedPath.slice(1)].map((path) => (path === '' ? '' : `${path}/`)).join('')

/** A store whose paths begin at the folder to scan. The mark of that folder itself, an object named after it, is left out. */
function startingAt(folder: string, opened: OpenedStore): OpenedStore {
  if (folder === '') return opened
  const root = `/${folder}/`
  function* relative(entries: Iterable<EntryRow>): Generator<EntryRow> {
    for (const entry of entries)
      if (entry.parentPath !== root || entry.name !== '')
        yield { ...entry, parentPath: entry.parentPath.slice(root.length - 1) }
  }
  return {
    ...opened,
    async page(part, options) {
      const page = await opened.page(part, options)
      return { ...page, entries: relative(page.entries) }
    },
  }
}

/**
 * Opens what is below the scanned path, '' or '/some/folder', of a store. Throws `ScanFailed` for keys and names that can't be those
 * of a store. Clients are large: an agent loads those that it needs.
 */
export async function openStore(store: ObjectStore, scannedPath: string): Promise<OpenedStore> {
  switch (store.type) {
    case 'AZURE': {
      const { openAzure } = await import('./azure/index.ts')
      const { prefix = '' } = store
      const options = { ...store, counted: prefixOf(prefix, '') }
      return startingAt(prefix, openAzure({ ...options, prefix: prefixOf(prefix, scannedPath) }))
    }
    case 'DROPBOX': {
      const { openDropbox } = await import('./dropbox/index.ts')
      return openDropbox({ ...store, scannedPath })
    }
    default: {
      const { openS3 } = await import('./s3/index.ts')
      const { bucket, inventory, prefix = '' } = store
      const options = { ...signInOf(store), bucket, inventory, counted: prefixOf(prefix, '') }
      return startingAt(prefix, openS3({ ...options, prefix: prefixOf(prefix, scannedPath) }))
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
  try {
    await opened.check(signal)
    if (store.prefix && (await isEmpty(opened, signal)))
      throw atField(
        new ScanFailed(`Nothing in ${'bucket' in store ? store.bucket : store.container} begins with ${store.prefix}/`),
        'prefix',
      )
  } finally {
    opened.close()
  }
}

async function isEmpty(opened: OpenedStore, signal: AbortSignal): Promise<boolean> {
  const { entries, rest } = await opened.page('', { idle: 0, signal })
  return rest.length === 0 && entries[Symbol.iterator]().next().done === true
}

/** A store without its bucket: failures would name the bucket. */
function signInOf({ bucket: _, inventory: __, countsVersions: ___, prefix: ____, ...signIn }: S3Store) {
  return signIn
}
