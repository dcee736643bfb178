import { Link } from 'wouter'
import { scanVolumes } from '#events/scans.ts'
import { call } from '../app/call.ts'
import { linksAt } from '../app/links.ts'
import { toast } from '../app/toasts.ts'

/** Starts the scan of file storages and says where it can be followed. */
export async function startScan(volumeIds: number[]): Promise<void> {
  await call(scanVolumes, { body: volumeIds })
  toast({
    kind: 'success',
    message: (
      <>
        The scan has started. You can follow it on the <Link href={linksAt().dashboard()}>Dashboard</Link>
      </>
    ),
  })
}
