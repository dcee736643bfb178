import { execFileSync } from 'node:child_process'
import { find, totalsOfFind } from '../find.ts'
import { sambaServer } from '../sambaServer.ts'
import { scanShares } from './scanShares.ts'
import { shareTree } from './shareTree.ts'

const password = 'planted, PASSWORD=5521'

/** Results of scans of a real SMB server. */
export async function smbScans(scratch: string) {
  const { walk, scan, point } = await scanShares(`${scratch}/agent`)
  const folder = shareTree(scratch)
  const samba = await sambaServer(`${scratch}/samba`, folder, password)
  await samba.start()
  const options = `port=${samba.port},echo_interval=1`
  const credential = { username: 'root', password, domain: '' }
  const smb = { type: 'SMB', host: '127.0.0.1', shareName: 'media', options, credential } as const
  const walks = await walk(smb)
  return {
    walks,
    expected: { shows: totalsOfFind(find(`${folder}/shows`)), many: totalsOfFind(find(`${folder}/many`)) },
    scans: {
      smb: await scan(smb),
      smbGuest: await scan({ ...smb, shareName: 'pub', credential: null }),
      smbNoGuests: await scan({ ...smb, credential: null }),
      smbWrongPassword: await scan({ ...smb, credential: { ...credential, password: `${password}.` } }),
      smbNoShare: await scan({ ...smb, shareName: 'gone' }),
      smbNoFolder: await scan(smb, '/gone'),
      smbUnknownHost: await scan({ ...smb, host: 'nas.invalid' }),
      smbRefused: await scan({ ...smb, options: 'port=1' }),
      smbNoRoute: await scan({ ...smb, host: '198.51.100.1' }),
      smbOldVersion: await scan({ ...smb, options: `${options},vers=1.0` }),
      smbWrongVersion: await scan({ ...smb, options: `${options},vers=9` }),
      smbUnmounted: await scan(smb, '/shows', () => void execFileSync('umount', ['-l', point()])),
      smbSilent: await scan(smb, '/shows', samba.suspend),
      smbBack: await samba.resume().then(() => scan(smb)),
      smbGone: await scan(smb, '/shows', samba.stop),
    },
  }
}
