import '../../threadPool.ts'
import { answerOfRing } from './walkShare.ts'
import { smbScans } from './smbScans.ts'
import { nfsScans } from './nfsScans.ts'

/**
 * A program for a separate kernel: scans shares of a real SMB and a real NFS server with the kernel's cifs and nfs, and
 * prints the results as JSON. Both run concurrently, because most of the time is spent waiting for a server that is
 * gone.
 */
const [smb, nfs] = await Promise.all([smbScans('/run/smb'), nfsScans('/run/nfs')])
const walks = { smb: smb.walks, nfs: nfs.walks, answerOfRing: answerOfRing() }
process.stdout.write(JSON.stringify({ walks, expected: smb.expected, scans: { ...smb.scans, ...nfs.scans } }))
process.exit(0)
