import { createHash } from 'node:crypto'
import type { ScanOrder, SourceOrder } from '#events/scans/order.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Digest of all in an order that decides rows, apart from what the storage holds: a scan may leave out what is as in another one only
 * if both have the same. An agent of another version may see more of a file. Credentials make no difference.
 */
export function rulesDigest(order: ScanOrder): string {
  const { ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners = false } = order
  const more = [ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners]
  const rules = [
    packageJson.version,
    ...(placesOf[order.source.kind] as (source: SourceOrder) => unknown[])(order.source),
    ...more,
  ]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex')
}

type Kind = SourceOrder['kind']

/** Identity of a storage, by kind; a bucket's list tells nothing of another scan. */
const placesOf: { [K in Kind]: (source: Extract<SourceOrder, { kind: K }>) => unknown[] } = {
  fileStorage: ({ path }) => [path, undefined],
  networkShare: ({ path, mount: { type, host, shareName, options } }) => [path, [type, host, shareName, options]],
  bucket: () => [],
  powerScale: ({ host, path }) => [host, path],
  archiware: ({ url, index, path }) => [url, index, path],
}
