import { Link } from 'wouter'
import { scanPaths, scanVolumes } from '#events/scans.ts'
import { call } from '../../app/call.ts'
import { linksAt } from '../../app/links.ts'
import { toast } from '../../app/toasts.ts'

/** What is scanned: file storages, and the folders that some of them are limited to, by their numbers. */
export type Wanted = { volumeIds: number[]; folders: Readonly<Record<string, string>>; cloneIndex: boolean }

/** Starts the scan of file storages and says where it can be followed. */
export async function startScan({ volumeIds, folders, cloneIndex }: Wanted): Promise<void> {
  const query = { cloneIndex: String(cloneIndex) }
  const isLimited = volumeIds.some((id) => folders[id] !== undefined)
  const storageIdToPath = Object.fromEntries(volumeIds.map((id) => [id, folders[id] ?? '']))
  await (isLimited
    ? call(scanPaths, { query, body: { storageIdToPath } })
    : call(scanVolumes, { query, body: volumeIds }))
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
