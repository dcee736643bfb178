import { constants } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ComparedWalk, waysOfWalks } from '../../testing/own-kernel/walkShare.ts'
import { inOwnKernel, missingForOwnKernel } from '../../testing/own-kernel/boot.ts'

type Came = { type: string; reason?: string; mounted: string; left: string; folders: string[] }
type Totals = { files: number; folders: number; bytes: number }
type Walks = Record<(typeof waysOfWalks)[number], ComparedWalk>
type Output = {
  expected: { shows: Totals; many: Totals }
  walks: { smb: Walks; nfs: Walks; answerOfRing: number }
  scans: Record<string, Came>
}

/** The answer to a wrong setup where `io_uring` is there; otherwise a walk through it uses threads. */
const { EFAULT } = constants.errno

const reason = missingForOwnKernel()
const program = join(import.meta.dirname, '../../testing/own-kernel/scanRealShares.ts')

describe.skipIf(reason)(`shares that a kernel itself mounts${reason ? `: not tried, ${reason}` : ''}`, () => {
  let text = ''
  let said = {} as Output
  beforeAll(async () => {
    text = await inOwnKernel(program)
    said = JSON.parse(text)
  }, 600_000)
  const reasonOf = (name: string) => said.scans[name]?.reason

  test.each([
    ['smb', 'cifs', '//127.0.0.1/media'],
    ['smbGuest', 'cifs', '//127.0.0.1/pub'],
    ['smbBack', 'cifs', '//127.0.0.1/media'],
    ['nfs', 'nfs4', '127.0.0.1:/media'],
    ['nfsBack', 'nfs4', '127.0.0.1:/media'],
  ])('%s is mounted read-only as %s and scanned to the last byte', (name, type, source) => {
    const { files, folders, bytes } = said.expected.shows
    expect(said.scans[name]).toMatchObject({
      type: 'completed',
      progress: { entries: files + folders, directories: folders, bytes, unreadable: 0 },
      capacity: { fileSystem: source },
      mounted: expect.stringMatching(new RegExp(` ro,nosuid,nodev,noexec,.* - ${type} ${source} `)),
    })
  })

  test.each(['smb', 'nfs'] as const)('%s has the same rows in all ways to walk', (name) => {
    expect(said.walks.answerOfRing).toBe(EFAULT)
    const { alone, ...others } = said.walks[name]
    expect(alone).toMatchObject({ totals: said.expected.many, contradictions: [], unreadable: [], hasMany: false })
    for (const way of Object.values(others)) expect(way).toEqual({ ...alone, hasMany: true })
  })

  test.each([
    ['smbNoGuests', '//127.0.0.1/media does not let guests in: choose credentials'],
    [
      'smbWrongPassword',
      'The user name or the password for //127.0.0.1/media is wrong, or this user has no right to the share',
    ],
    ['smbNoShare', 'There is no share //127.0.0.1/gone'],
    ['smbNoFolder', 'There is no folder /gone in //127.0.0.1/media'],
    ['smbUnknownHost', `The agent can't find the host "nas.invalid". Check the name, or DNS on the agent's machine.`],
    ['smbRefused', 'The host 127.0.0.1 refused the connection: no SMB server answers there'],
    ['smbNoRoute', 'The host 198.51.100.1 cannot be reached, or speaks another version of SMB'],
    ['smbOldVersion', 'The host 127.0.0.1 does not speak the version of SMB set in the options'],
    ['nfsNoExport', 'There is no share 127.0.0.1:/gone'],
    ['nfsUnknownHost', `The agent can't find the host "nas.invalid". Check the name, or DNS on the agent's machine.`],
    ['nfsNoRoute', 'The host 198.51.100.1 cannot be reached'],
    ['nfsRefused', 'The host 127.0.0.1 refused the connection: no NFS server answers there'],
  ])('%s fails with its own words', (name, words) => expect(reasonOf(name)).toBe(words))

  test('options that the program does not accept, and security that the server requires, are reported', () => {
    expect(reasonOf('smbWrongVersion')).toMatch(/^SMB does not take these options: .*vers=9$/)
    expect(reasonOf('nfsOtherSecurity')).toContain('or the server asks for other security (option sec)')
  })

  test('a share that goes away in the middle of a scan fails it, whether it is unmounted, killed, silent or another one', () => {
    expect(reasonOf('smbUnmounted')).toBe('//127.0.0.1/media was unmounted while it was scanned')
    for (const name of ['smbGone', 'smbSilent'])
      expect(reasonOf(name)).toMatch(/^\/\/127\.0\.0\.1\/media went away while it was scanned \(/)
    for (const name of ['nfsGone', 'nfsSilent'])
      expect(reasonOf(name)).toMatch(/^127\.0\.0\.1:\/media went away while it was scanned \(/)
    expect(reasonOf('nfsStale')).toMatch(
      /^127\.0\.0\.1:\/media went away while it was scanned \(ESTALE: stale file handle/,
    )
  })

  test('nothing stays mounted, no folder is left, and the kernel shows the password nowhere', () => {
    for (const [name, { left, folders }] of Object.entries(said.scans))
      expect([name, left, folders]).toEqual([name, '', []])
    expect(text).not.toContain('planted')
  })
})
