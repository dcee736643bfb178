import { smbTries } from './smbTries.ts'
import { nfsTries } from './nfsTries.ts'

/**
 * A program for a kernel of its own: scans shares of a real SMB and a real NFS server by the kernel's own cifs and nfs, and
 * prints as JSON what came of each. Both beside each other, since much of it is waiting for a server that is gone.
 */
const [smb, nfs] = await Promise.all([smbTries('/run/smb'), nfsTries('/run/nfs')])
process.stdout.write(JSON.stringify({ ...smb, ...nfs }))
process.exit(0)
