import { Link } from 'wouter'
import { scanBuckets, scanPaths, scanVolumes } from '#events/scans/calls.ts'
import { call } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts.ts'

/** What is scanned: file storages, and the folders that some of them are limited to, by their numbers. */
type ScanOptions = { volumeIds: number[]; folders: Readonly<Record<string, string>>; cloneIndex: boolean }

/** Starts the scan of file storages and says where it can be followed. */
export async function startScan({ volumeIds, folders, cloneIndex }: ScanOptions): Promise<void> {
  const query = { cloneIndex: String(cloneIndex) }
  const isLimited = volumeIds.some((id) => folders[id] !== undefined)
  const storageIdToPath = Object.fromEntries(volumeIds.map((id) => [id, folders[id] ?? '']))
  await (isLimited
    ? call(scanPaths, { query, body: { storageIdToPath } })
    : call(scanVolumes, { query, body: volumeIds }))
  tellStarted()
}

/** Starts the scan of buckets, likewise. */
export async function startBucketScan({ bucketIds, cloneIndex }: { bucketIds: number[]; cloneIndex: boolean }) {
  await call(scanBuckets, { query: { cloneIndex: String(cloneIndex) }, body: bucketIds })
  tellStarted()
}

function tellStarted(): void {
  toast({
    kind: 'success',
    message: (
      <>
        Scanner for the job(s) is now running. You can monitor the job(s) by clicking{' '}
        <Link href={linksAt().jobs()}>here</Link>
      </>
    ),
  })
}
