import { Link } from 'wouter'
import { scanVolumes } from '#events/scans.ts'
import { call } from '../../app/call.ts'
import { linksAt } from '../../app/links.ts'
import { toast } from '../../app/toasts.ts'

/** Starts the scan of file storages and says where it can be followed. */
export async function startScan(volumeIds: number[], cloneIndex: boolean): Promise<void> {
  await call(scanVolumes, { query: { cloneIndex: String(cloneIndex) }, body: volumeIds })
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
