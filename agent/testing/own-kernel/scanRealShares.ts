import { smbScans } from './smbScans.ts'
import { nfsScans } from './nfsScans.ts'

/**
 * A program for a separate kernel: scans shares of a real SMB and a real NFS server with the kernel's cifs and nfs, and
 * prints the results as JSON. Both run concurrently, because most of the time is spent waiting for a server that is
 * gone.
 */
const [smb, nfs] = await Promise.all([smbScans('/run/smb'), nfsScans('/run/nfs')])
process.stdout.write(JSON.stringify({ ...smb, ...nfs }))
process.exit(0)
