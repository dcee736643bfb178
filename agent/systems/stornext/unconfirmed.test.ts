import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newFileList } from '../../actions/testing/fileList.ts'
import { baseUrlsOf, openClient } from './client.ts'
import { pathOfAgent } from './fileCommands.ts'
import type { Readings } from './simulator/index.ts'
import { listOf, requestsTo, root, run, withFiles, withTapes } from './testing.ts'

const variants: Partial<Readings>[] = [
  { jobNames: 'jobId' },
  { jobNames: 'jobNumber' },
  { asyncMode: 'refuse' },
  { asyncMode: '400' },
  { asyncMode: 'ignore' },
  { partialJobState: 'ERROR' },
  { dates: 'ISO' },
  { tapeWord: 'ARCHIVE' },
  { maxFiles: 3 },
  { numbers: 'text' },
  { resultAt: 'first' },
  { successNumbers: 'zero' },
  { successStatus: 'informational' },
  { partialResult: 'counted' },
  { listsSuccesses: true },
]

for (const readings of variants)
  test.for(['store', 'retrieve'] as const)(`%s with ${JSON.stringify(readings)}`, async (verb) => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const stornext = await (verb === 'store'
      ? withFiles(names, { readings })
      : withTapes({ A00001L8: names }, { readings }))
    stornext.failFile(`${root}/c`, verb, verb === 'store' ? 'write error' : 'read error')
    const list = listOf([...names, 'unknown'])
    await run(stornext, list, { verb })
    expect(list.places('done')).toEqual(['a', 'b', 'd', 'e'].map((name) => `${root}/${name}`))
    expect(list.listed[2]?.reason).toMatch(/^Storage Manager: Error (reading|writing) the media of/)
    expect(list.listed[5]?.reason).toContain('does not know')
    expect(names.map((name) => stornext.processed(`${root}/${name}`)[verb])).toEqual([1, 1, 0, 1, 1])
  })

test.for(['failed', 'empty', '404'] as const)(
  'a forgotten job (%s) is left to the state of its files',
  async (unknownJob) => {
    const stornext = await withFiles(['a', 'b'], { readings: { unknownJob } })
    const list = listOf(['a', 'b'])
    let isForgotten = false
    const timer = setInterval(() => {
      if (isForgotten || stornext.jobs.all().length === 0) return
      isForgotten = true
      stornext.jobs.forgetAll()
    }, 0)
    await run(stornext, list).finally(() => clearInterval(timer))
    expect(list.places('done')).toHaveLength(2)
    expect(stornext.tapeLog).toHaveLength(2)
  },
)

test('a job that fails before its work is reported; one that fails after it is done', async () => {
  const stornext = await withFiles(['a', 'b'])
  const [before, after] = [listOf(['a']), listOf(['b'])]
  stornext.scriptNextJob({ error: 'before work' })
  await run(stornext, before)
  stornext.scriptNextJob({ error: 'after work' })
  await run(stornext, after)
  expect(before.listed[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('interrupted') })
  expect(after.places('done')).toHaveLength(1)
})

test('users sign in by Digest, again when the challenge is stale, and once with a wrong password', async () => {
  const stornext = await withFiles(['a', 'b'], { signIn: 'digest', nonceMs: 1e12 })
  const list = listOf(['a', 'b'])
  await run(stornext, list, { onRecord: () => stornext.signIn.expire() })
  expect(list.places('done')).toHaveLength(2)
  const before = stornext.requests.length
  const connection = { host: stornext.url, username: 'dataintell', password: 'wrong' }
  await expect(run(stornext, listOf(['a']), { connection })).rejects.toThrow('does not accept the user')
  expect(stornext.requests.length - before).toBe(2)
})

test('a server without a sign-in needs no user', async () => {
  const stornext = await withFiles(['a'], { signIn: 'none' })
  const list = listOf(['a'])
  await run(stornext, list, { connection: { host: stornext.url } })
  expect(list.places('done')).toHaveLength(1)
})

test('a form that a server refuses becomes a query', async () => {
  const stornext = await withFiles(['a', 'b'])
  stornext.faults.failNext('POST ', 405, '', { times: 100 })
  const list = listOf(['a', 'b'])
  await run(stornext, list)
  expect(list.places('done')).toHaveLength(2)
  expect(stornext.tapeLog).toHaveLength(2)
})

test('a host has the web services at its usual port and path, and plain HTTP only if that was entered', async () => {
  expect(baseUrlsOf('mdc1')).toEqual(['https://mdc1/sws/v2', 'https://mdc1'])
  expect(baseUrlsOf('mdc1:81')).toEqual(['https://mdc1:81/sws/v2', 'https://mdc1:81'])
  expect(baseUrlsOf('[::1]:8443')).toEqual(['https://[::1]:8443/sws/v2', 'https://[::1]:8443'])
  expect(baseUrlsOf('mdc1:8080/sws/v2/')).toEqual(['https://mdc1:8080/sws/v2'])
  expect(baseUrlsOf('http://mdc1:81/x')).toEqual(['http://mdc1:81/x'])
  expect(baseUrlsOf('HTTP://mdc1:81')).toEqual(['HTTP://mdc1:81/sws/v2', 'HTTP://mdc1:81'])
})

test.for([{}, { isWithoutBasePath: true }])('hosts with and without path are found %j', async (options) => {
  const stornext = await withFiles(['a', 'b'], { ...options, tls: certificate })
  const { tlsUrl = '', fingerprint = '' } = stornext
  for (const [host, name] of [
    [new URL(tlsUrl).host, 'a'],
    [new URL(stornext.url).origin, 'b'],
  ] as const) {
    const list = listOf([name])
    const user = { username: 'dataintell', password: 'planted-password' }
    await run(stornext, list, { connection: { host, ...user, fingerprint } })
    expect(list.places('done')).toHaveLength(1)
  }
})

/** Counts the connections to a port that are not closed at once, and the bytes on them. */
async function brokenTls(answers: (socket: Socket) => void) {
  let text = ''
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (bytes) => (text += bytes.toString('latin1')))
    answers(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => text }
}

test.for<[string, (socket: Socket) => void]>([
  ['closes connections', (socket) => void socket.end()],
  ['resets connections', (socket) => void socket.resetAndDestroy()],
  ['speaks plain HTTP', (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
])('a host without a scheme that %s gets no password, and the failure says what to enter', async ([, answers]) => {
  const { host, received } = await brokenTls(answers)
  const connection = { host, username: 'dataintell', password: 'planted-password' }
  const failure = await openClient(connection, new AbortController().signal).catch((error: Error) => error)
  expect((failure as Error).message).toContain(
    `enter http://${host} as the host in the credentials; the password is then sent unencrypted`,
  )
  expect(received()).not.toMatch(/planted-password|POST|system\/info/)
  const pinned = await openClient({ ...connection, fingerprint: 'AB' }, new AbortController().signal).catch(String)
  expect(pinned).not.toContain('http://')
})

test('a host without a scheme and a port has the plain port 81 in the advice', async () => {
  const open = openClient({ host: '127.0.0.1/sws' }, new AbortController().signal)
  await expect(open).rejects.toThrow('enter http://127.0.0.1:81/sws as the host')
})

test('files are relocated with their folders, to a folder that the agent creates', async () => {
  const folder = testFolder('snfs')
  const stornext = await withFiles([], { folders: { '/stornext/snfs1': folder } })
  mkdirSync(join(folder, 'proj/day'), { recursive: true })
  for (const name of ['proj/a', 'proj/day/a']) writeFileSync(join(folder, name), name)
  const list = () =>
    newFileList(
      ['proj/a', 'proj/day/a'].map((name) => ({
        place: `/stornext/snfs1/${name}`,
        path: join(folder, name),
        pathInStorage: `/${name}`,
        size: 5,
      })),
    )
  await run(stornext, list())
  for (const name of ['proj/a', 'proj/day/a']) stornext.files.truncate(stornext.files.get(`/stornext/snfs1/${name}`)!)
  const relocated = list()
  await run(stornext, relocated, { verb: 'retrieve', relocate: '/stornext/snfs1/back/' })
  expect(relocated.places('done')).toHaveLength(2)
  expect(readFileSync(join(folder, 'back/proj/day/a'), 'utf8')).toBe('proj/day/a')
  expect(existsSync(join(folder, 'back/proj/a'))).toBe(true)
  expect(pathOfAgent({ path: '/mnt/a/b', place: '/stornext/a/b' }, '/elsewhere/x')).toBe(undefined)
})

test('a relocation reports missing folders and other files at the new path', async () => {
  const stornext = await withTapes({ A00001L8: ['a', 'b', 'c'] })
  stornext.files.addDirectory('/stornext/snfs1/back/proj')
  stornext.addFile('/stornext/snfs1/back/proj/b', { size: 7 })
  stornext.addFile('/stornext/snfs1/back/proj/c', { size: 300e6 })
  const list = listOf(['a', 'b', 'c'])
  await run(stornext, list, { verb: 'retrieve', relocate: '/stornext/snfs1/back' })
  expect(list.places('done')).toEqual([`${root}/a`, `${root}/c`])
  expect(list.listed[1]?.reason).toContain('Another file is already at /stornext/snfs1/back/proj/b')
  expect(requestsTo(stornext, 'file/fsretrieve/new')).toBe(1)
  const missing = listOf(['a'])
  await run(stornext, missing, { verb: 'retrieve', relocate: '/stornext/snfs1/none' })
  expect(missing.listed[0]?.reason).toMatch(/^The folder \/stornext\/snfs1\/none\/proj does not exist\. Create it/)
})

test.for(['404', 'failed'] as const)('a server that cannot relocate retrieves nothing (%s)', async (unknownCall) => {
  const stornext = await withTapes({ A00001L8: ['a', 'b'] }, { readings: { retrieveNew: 'unavailable', unknownCall } })
  const list = listOf(['a', 'b'])
  const running = run(stornext, list, { verb: 'retrieve', relocate: '/stornext/snfs1/back' })
  await expect(running).rejects.toThrow("can't retrieve files to another folder")
  expect(list.places('planned')).toHaveLength(2)
  expect(stornext.tapeLog).toHaveLength(0)
})
