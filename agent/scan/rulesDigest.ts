import { createHash } from 'node:crypto'
import { identityOf, type ScanOrder } from '#events/sources/scanOrder.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Digest of all in an order that decides rows, apart from what the storage holds: a scan may leave out what is as in another one only
 * if both have the same. An agent of another version may see more of a file. Credentials make no difference.
 */
export function rulesDigest(order: ScanOrder): string {
  const { ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners = false } = order
  const more = [ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners]
  const rules = [packageJson.version, ...identityOf(order.source), ...more]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex')
}
