import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { nfsServer } from './nfsServer.ts'
import { scanShares } from './scanShares.ts'
import { shareTree } from './shareTree.ts'

/** Results of scans of a real NFS server. */
export async function nfsScans(scratch: string) {
  const { walk, scan } = await scanShares(`${scratch}/agent`)
  const folder = shareTree(scratch)
  mkdirSync(`${folder}/signed`)
  const server = nfsServer(`${scratch}/ganesha`, folder)
  await server.start()
  const options = 'timeo=10,retrans=1'
  const nfs = { type: 'NFS', host: '127.0.0.1', shareName: '/media', options, credential: null } as const
  /** Afterwards the same names are different folders, so that the agent's handles are stale. */
  const replace = async () => {
    cpSync(`${folder}/shows`, `${scratch}/kept`, { recursive: true })
    await server.stop()
    rmSync(`${folder}/shows`, { recursive: true })
    cpSync(`${scratch}/kept`, `${folder}/shows`, { recursive: true })
    await server.start()
  }
  const walks = await walk(nfs)
  return {
    walks,
    scans: {
      nfs: await scan(nfs),
      nfsNoExport: await scan({ ...nfs, shareName: '/gone' }),
      nfsOtherSecurity: await scan({ ...nfs, shareName: '/signed' }),
      nfsUnknownHost: await scan({ ...nfs, host: 'nas.invalid' }),
      nfsNoRoute: await scan({ ...nfs, host: '198.51.100.1' }),
      // On a slow machine, the server is away longer than the timeout of the other scans, so the mount would be gone
      // instead of stale.
      nfsStale: await scan({ ...nfs, options: 'timeo=300,retrans=1' }, '/shows', replace),
      nfsSilent: await scan(nfs, '/shows', server.suspend),
      nfsBack: await server.resume().then(() => scan(nfs)),
      nfsGone: await scan(nfs, '/shows', server.stop),
      nfsRefused: await scan(nfs),
    },
  }
}
