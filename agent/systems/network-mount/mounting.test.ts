import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { whyNotMounted } from './failures.ts'
import { openMounts } from './index.ts'
import { runProgram } from './mountCommand.ts'
import { secret, shareOf, useNotingMount, usePrograms } from './testing.ts'

afterEach(() => vi.unstubAllEnvs())
const signal = new AbortController().signal
const log = pino({ level: 'silent' })

/** The reason why a share could not be mounted, and the contents of the agent's folder afterwards. */
async function failure(mount: ShareMount, path = '/') {
  const state = testFolder('state')
  const mounts = await openMounts(state, log)
  const error = await mounts.open({ volumeId: 7, mount, path }, signal).catch((error: unknown) => error)
  await mounts.settled()
  const left = readdirSync(state, { recursive: true, withFileTypes: true }).map(({ name }) => name)
  return { says: (error as Error).message, left }
}

test('SMB is mounted with a credentials file that only its owner reads and that is gone right after', async () => {
  const lastCall = useNotingMount('exit 0')
  const { left } = await failure(shareOf({ options: 'vers=3.0, seal ,uid=12' }))
  const { words, environment, credentials, modes, file } = lastCall()
  const [type, cifs, source, folder, o, options = ''] = words
  expect([type, cifs, source, o]).toEqual(['-t', 'cifs', '//nas.example.com/media', '-o'])
  expect(folder).toMatch(/\/mounts\/7-\w{6}$/)
  expect(options).toBe(`iocharset=utf8,soft,vers=3.0,seal,uid=12,credentials=${file},ro,nosuid,nodev,noexec`)
  expect(credentials).toBe(`username=svc_scan\npassword=${secret}\ndomain=STUDIO\n`)
  expect(modes).toBe('600 700')
  expect(existsSync(file)).toBe(false)
  expect(words.join() + environment).not.toContain('PASSWORD')
  expect(left).toEqual(['credentials', 'mounts'])
})

test('a guest has no credentials file, and an IPv6 address no brackets, which mount.cifs does not know', async () => {
  const lastCall = useNotingMount('exit 0')
  await failure(shareOf({ host: '[fe80::1]', shareName: 'media/shows', credential: null, options: 'guest,ro,noexec' }))
  expect(lastCall().words).toContain('//fe80::1/media/shows')
  expect(lastCall().words.at(-1)).toBe('iocharset=utf8,soft,guest,ro,nosuid,nodev,noexec')
  expect(lastCall().file).toBe('')
})

test('options for the start of a machine are not passed on, and a share is mounted read-only and in the foreground', async () => {
  const lastCall = useNotingMount('exit 0')
  const options = 'rw,_netdev,noauto,nofail,defaults,bg,nosuid, guest, hard, uid = 12 ,port=1,port=2'
  await failure(shareOf({ options }))
  expect(lastCall().words.at(-1)).toBe(
    `iocharset=utf8,soft,hard,uid=12,port=2,credentials=${lastCall().file},ro,nosuid,nodev,noexec`,
  )
})

test('NFS is mounted so that a dead server causes errors, unless the storage sets other options, and without a sign-in', async () => {
  const lastCall = useNotingMount('exit 0')
  await failure(shareOf({ type: 'NFS', host: '[fe80::1]', shareName: '/export/media', options: 'vers=4.2,timeo=50' }))
  const { words, file } = lastCall()
  expect(words.slice(0, 3)).toEqual(['-t', 'nfs', '[fe80::1]:/export/media'])
  expect(words.at(-1)).toBe('soft,retrans=3,retry=0,proto=tcp,nolock,vers=4.2,timeo=50,ro,nosuid,nodev,noexec')
  expect(file).toBe('')
})

const nfs = { type: 'NFS', shareName: '/media' } as const
test.each<[string, number, Partial<ShareMount>, string]>([
  ['mount error(13): Permission denied', 32, {}, 'The user name or the password for //nas.example.com/media is wrong'],
  ['mount error(13): Permission denied', 32, { credential: null }, '//nas.example.com/media does not let guests in'],
  ['mount.nfs: access denied by server while mounting nas:/media', 32, nfs, "does not let the agent's machine mount"],
  ['mount error(2): No such file or directory', 32, {}, 'There is no share //nas.example.com/media'],
  ['mount error(6): No such device or address', 32, {}, 'There is no share //nas.example.com/media'],
  [
    'mount.nfs: mounting nas:/media failed, reason given by server: No such file or directory',
    32,
    nfs,
    'There is no share nas.example.com:/media',
  ],
  [
    'mount error: could not resolve address for nas: Unknown error',
    1,
    {},
    `The agent can't find the host "nas.example.com"`,
  ],
  [
    'mount.nfs: Failed to resolve server nas: Name or service not known',
    32,
    nfs,
    `The agent can't find the host "nas.example.com"`,
  ],
  ['mount error(110): Connection timed out', 32, {}, 'The host nas.example.com did not answer in time'],
  ['mount error(115): Operation now in progress', 32, {}, 'The host nas.example.com did not answer in time'],
  ['mount.nfs: Connection timed out', 32, nfs, 'The host nas.example.com did not answer in time'],
  ['mount error(111): Connection refused', 32, {}, 'The host nas.example.com refused the connection: no SMB server'],
  ['mount.nfs: Connection refused', 32, nfs, 'The host nas.example.com refused the connection: no NFS server'],
  ['mount error(112): Host is down', 32, {}, 'The host nas.example.com cannot be reached, or speaks another version'],
  ['mount error(113): No route to host', 32, {}, 'The host nas.example.com cannot be reached'],
  ['mount error(95): Operation not supported', 32, {}, 'The host nas.example.com does not speak the version of SMB'],
  ['mount.nfs: Protocol not supported', 32, nfs, 'The host nas.example.com does not speak the version of NFS'],
  ['mount error(19): No such device\nRefer to the mount.cifs(8) manual page', 32, {}, 'its module cifs is missing'],
  ["mount: /x: unknown filesystem type 'nfs'.", 32, nfs, 'its module nfs is missing'],
  ['mount: bad option; you might need a /sbin/mount.<type> helper program.', 32, {}, 'install cifs-utils'],
  ['mount error(1): Operation not permitted', 1, {}, 'The agent has no right to mount'],
  ['mount: /x: must be superuser to use mount.', 1, {}, 'The agent has no right to mount: it has to run as root'],
  ['mount: /x: must be superuser to use mount.', 1, nfs, 'it has to run as root, or with the capability SYS_ADMIN, or'],
  ['mount.nfs: Operation not permitted', 32, nfs, 'or the server asks for other security (option sec)'],
  ['mount error(79): Can not access a needed shared library', 32, {}, 'its module nls_utf8 is missing'],
  ['mount.nfs: Resource temporarily unavailable', 32, nfs, `The agent can't find the host "nas.example.com"`],
  ['mount error(22): Invalid argument', 32, { options: 'vers=9' }, 'SMB does not take these options: vers=9'],
  [`odd: ${secret} is\twrong\nmore`, 32, {}, '//nas.example.com/media cannot be mounted: odd: … is wrong'],
  ['', 32, {}, '//nas.example.com/media cannot be mounted: mount gave no reason'],
])('%j with exit %i has its own message', async (stderr, code, changes, message) => {
  useNotingMount(`cat >&2 <<'END'\n${stderr}\nEND\nexit ${code}`)
  const { says, left } = await failure(shareOf(changes))
  expect(says).toContain(message)
  expect(says).not.toContain(secret)
  expect(left.filter((name) => name.startsWith('7-') || name.startsWith('once-'))).toEqual([])
})

const isReal = ['cifs', 'nfs'].every((type) => existsSync(`/sbin/mount.${type}`)) && process.getuid?.() === 0
test.skipIf(!isReal)("the output of this machine's mount.cifs is understood, with any kernel", async () => {
  const { says } = await failure(shareOf({ host: '127.0.0.1', options: 'port=1' }))
  expect(says).toMatch(/its module cifs is missing|refused the connection|no right to mount/)
})

test.skipIf(!isReal)("the output of this machine's programs about an unknown host is understood", async () => {
  const says = `The agent can't find the host "nas.invalid". Check the name, or DNS on the agent's machine.`
  expect(await failure(shareOf({ host: 'nas.invalid' }))).toMatchObject({ says })
  expect(await failure(shareOf({ ...nfs, host: 'nas.invalid' }))).toMatchObject({ says })
})

test('where mount says that all is well and nothing is there, no empty folder is scanned', async () => {
  useNotingMount('exit 0')
  const { says, left } = await failure(shareOf())
  expect(says).toBe('//nas.example.com/media could not be mounted')
  expect(left).toEqual(['credentials', 'mounts'])
})

test('a machine without mount says so', async () => {
  vi.stubEnv('PATH', testFolder())
  expect((await failure(shareOf())).says).toBe("The agent's machine has no program 'mount'")
})

test('one that takes too long is killed with all that it started', async () => {
  const started = join(testFolder(), 'started')
  usePrograms({ mount: `sleep 1000 & echo $! > '${started}'; wait` })
  const ended = await runProgram('mount', [], 500)
  expect(ended).toMatchObject({ code: null, timedOut: true })
  expect(whyNotMounted(shareOf(), ended).message).toBe(
    'The host nas.example.com did not answer in time when //nas.example.com/media was mounted',
  )
  const isThere = () => existsSync(`/proc/${readFileSync(started, 'utf8').trim()}`)
  await expect.poll(isThere).toBe(false)
})

test('the rules are checked again for any sender of an order', async () => {
  const program = usePrograms({ mount: `touch "$(dirname "$0")/asked"` })
  const says = async (changes: Partial<ShareMount>, path?: string) => (await failure(shareOf(changes), path)).says
  const refused = (fault: string) => `The share is not mounted: ${fault}`
  const noHost = refused('host must be a host name, an IPv4 address or an IPv6 address in brackets')
  expect(await says({ host: '-oexec' })).toBe(noHost)
  expect(await says({ shareName: 'a,exec' })).toBe(refused('share name must not contain commas or control characters'))
  expect(await says({ type: 'NFS', shareName: '/../etc' })).toBe(refused("share name must not contain '..'"))
  expect(await says({ options: 'suid' })).toBe(
    refused("options must not contain suid: files of a share get no rights on the agent's machine"),
  )
  expect(await says({ options: 'vers=3.0\ncredentials=/x' })).toBe(refused('options must have a plain value for vers'))
  const credential = { username: 'ana', domain: '', password: 'x\nusername=root' }
  expect(await says({ credential })).toBe(refused('credentials must not contain control characters'))
  expect(await says({}, '/../../etc')).toBe(refused("path must not contain '..'"))
  expect(await says({}, 'etc')).toBe(refused('path must be an absolute path'))
  expect(existsSync(join(program, 'asked'))).toBe(false)
})
