import type { BlobItem } from '@azure/storage-blob'
import type { VersionCounts } from '#events/scans/lifecycle.ts'
import { newListingGuard } from '../listingGuard.ts'
import { sizeIn } from '../objectEntry.ts'
import type { OddRecords } from '../oddRecords.ts'
import { type CountedVersions, messageOf, type RunRequest, ScanFailed, StoreBusy } from '../system.ts'
import { type ListedPage, type newClient, ofPage } from './client.ts'

/** A container, the prefix to count in, and the counter of records without a size, which add no bytes. */
type CountedContainer = { client: ReturnType<typeof newClient>; container: string; prefix: string; odd: OddRecords }

/**
 * Counts versions, snapshots and soft-deleted blobs of a container, all as `noncurrent`. Their size is that of their content: Azure bills blocks that
 * several of them share once. Throws the signal's reason when that is aborted.
 */
export async function countVersions(
  counted: CountedContainer,
  running: { run: RunRequest; signal: AbortSignal },
): Promise<CountedVersions> {
  const { signal } = running
  try {
    // Accounts with a hierarchical namespace have no versions, and refuse to list them.
    const versions = await count(counted, 'versions', running).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof ScanFailed)) throw error
      return count(counted, 'snapshots', running)
    })
    return { versions }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ScanFailed || error instanceof StoreBusy)) throw error
    return { versionsFailure: messageOf(error) }
  }
}

async function count(
  { client, container, prefix, odd }: CountedContainer,
  old: 'versions' | 'snapshots',
  { run, signal }: { run: RunRequest; signal: AbortSignal },
): Promise<VersionCounts> {
  const noncurrent = { count: 0, bytes: 0 }
  const guard = newListingGuard((reason) => new ScanFailed(`Azure does not list old blobs: ${reason}`))
  for (let marker: string | undefined, isLast = false; !isLast;) {
    const listing = { prefix, byLevel: false, marker, blobs: ofPage, old }
    const page: ListedPage = await run(() => client.listBlobs(container, listing, signal))
    for (const blob of page.blobs.filter(isOld)) {
      const size = sizeIn(blob.properties?.contentLength)
      if (size === undefined) odd.add('noSize')
      noncurrent.count++
      noncurrent.bytes += size ?? 0
    }
    marker = page.marker
    isLast = marker === undefined
    if (marker !== undefined) guard.place(marker)
    guard.page(page.blobs.length > 0)
  }
  return { noncurrent, deleteMarkers: 0, incomplete: { count: 0, bytes: 0 } }
}

/** True for what a listing of the current blobs doesn't have. */
const isOld = ({ deleted, snapshot, versionId, isCurrentVersion }: BlobItem): boolean =>
  Boolean(deleted || snapshot || (versionId && !isCurrentVersion))
