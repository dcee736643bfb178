import { createHash } from 'node:crypto'
import type { ScanOrder } from '#events/scans/order.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Digest of all in an order that decides rows, apart from what the storage holds: a scan may leave out what is as in another one only
 * if both have the same. An agent of another version may see more of a file. Credentials make no difference.
 */
export function rulesDigest(order: ScanOrder): string {
  const { ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners = false } = order
  const more = [ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners]
  const rules = [packageJson.version, ...placeOf(order.source), ...more]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex')
}

function placeOf(source: ScanOrder['source']): unknown[] {
  switch (source.kind) {
    case 'fileStorage':
      return [source.path, undefined]
    case 'networkShare': {
      const { type, host, shareName, options } = source.mount
      return [source.path, [type, host, shareName, options]]
    }
    case 'powerScale':
      return [source.host, source.path]
    default:
      return []
  }
}
