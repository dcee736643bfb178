import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { TaskCancelled } from '../../execution.ts'
import { connectionTo, listOf, requestsTo, root, run, withFiles, withTapes } from './testing.ts'

const reasonsOf = (list: ReturnType<typeof listOf>) =>
  Object.fromEntries(list.listed.map(({ pathInStorage, reason }) => [pathInStorage.slice('proj/'.length), reason]))

test('files that fail have reasons, and the others are stored', async () => {
  const stornext = await withFiles(['good', 'deleted', 'foreign', 'full', 'broken'])
  stornext.files.remove(`${root}/deleted`)
  stornext.addFile(`${root}/foreign`, { isForeign: true, size: 5 })
  stornext.failFile(`${root}/full`, 'store', 'no scratch media')
  stornext.failFile(`${root}/broken`, 'store', 'write error')
  stornext.failFile(`${root}/changed`, 'store', 'changed file')
  stornext.addFile(`${root}/changed`, { size: 5 })
  stornext.addFile('/stornext/other/a', { size: 5 })
  const list = listOf(['good', 'deleted', 'foreign', 'full', 'broken', 'changed', 'unknown', 'no class'])
  Object.assign(list.listed[7] ?? {}, { place: '/stornext/other/a' })
  await run(stornext, list)
  expect(list.places('done')).toEqual([`${root}/good`])
  expect(reasonsOf(list)).toEqual({
    good: '',
    deleted: expect.stringMatching(/^The file was deleted from the file system\. Recover it .* with fsrecover/),
    foreign: expect.stringMatching(/^The file is on a foreign system/),
    full: expect.stringMatching(
      /^No tape has space left\. Add tapes to the library\. Storage Manager: No scratch media/,
    ),
    broken: expect.stringMatching(/^Storage Manager: Error writing the media/),
    changed: expect.stringMatching(/^The file changed while it was stored/),
    unknown: expect.stringMatching(/^Storage Manager does not know .*check the path mapping/),
    'no class': expect.stringMatching(/^No policy class applies to \/stornext\/other\. Add the folder/),
  })
})

test('a retrieval names the tapes that are missing, and tells files without a copy', async () => {
  const stornext = await withTapes({ A00001L8: ['a', 'b'], A00002L8: ['c'] })
  stornext.addMedia('A00002L8', { isOnline: false })
  stornext.addFile(`${root}/changed`, { size: 5, isOnDisk: false })
  const list = listOf(['a', 'b', 'c', 'changed'])
  await run(stornext, list, { verb: 'retrieve' })
  expect(list.places('done')).toHaveLength(2)
  expect(reasonsOf(list)).toMatchObject({
    c: expect.stringMatching(/^A tape of the file is not in the library\. Insert A00002L8 and try again/),
    changed: expect.stringMatching(/^No tape has a valid copy of the file: it was never stored, or changed on disk/),
  })
})

test('names of every kind are stored; one with invalid Unicode fails', async () => {
  const odd = [
    'new\nline',
    'back\\slash',
    'a^b',
    'a:b',
    `'"`,
    '\u202Eabc',
    'e\u0301',
    '\u00E9',
    'x'.repeat(255),
    'a+b&c=d%20',
    ' ',
    '#?',
    '😀',
    'replaced \uFFFD',
  ]
  const stornext = await withFiles(odd)
  const list = listOf([...odd, 'lone \uD800', 'stray \uEFE9', 'NUL \0'])
  await run(stornext, list)
  expect(list.places('done')).toEqual(odd.map((name) => `${root}/${name}`))
  const reasons = list.listed.slice(-3).map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['Name is not valid UTF-8. Rename it']))
  expect(stornext.requests.some(({ body }) => /stray|lone|NUL/.test(body))).toBe(false)
  expect(new Set(odd.map((name) => stornext.processed(`${root}/${name}`).store))).toEqual(new Set([1]))
})

test('a wrong password is sent once', async () => {
  const stornext = await withFiles(['a'])
  const list = listOf(['a'])
  const wrong = run(stornext, list, { connection: connectionTo(stornext, 'wrong') })
  await expect(wrong).rejects.toThrow('does not accept the user dataintell with this password')
  expect(stornext.requests).toHaveLength(1)
  expect(list.places('planned')).toHaveLength(1)
  const { host } = connectionTo(stornext)
  await expect(run(stornext, list, { connection: { host } })).rejects.toThrow('requires a user')
})

test('a password that is changed while files are stored ends the action without loss', async () => {
  const stornext = await withFiles(['a', 'b'])
  stornext.clock.speed = 1
  const list = listOf(['a', 'b'])
  const running = run(stornext, list)
  running.catch(() => {})
  await expect.poll(() => stornext.jobs.all().length).toBe(1)
  Object.assign(stornext.signIn.users[0] ?? {}, { password: 'new' })
  await expect(running).rejects.toThrow('does not accept the user')
  expect(list.places('sent')).toHaveLength(2)
  const after = stornext.requests.filter(({ status }) => status === 401)
  expect(after).toHaveLength(1)
  stornext.clock.speed = 200_000
  await run(stornext, list, { connection: connectionTo(stornext, 'new'), attempt: 2 })
  expect(list.places('done')).toHaveLength(2)
  expect(stornext.tapeLog).toHaveLength(2)
})

const readOnly = [{ username: 'dataintell', password: 'planted-password', isReadOnly: true }]

test('a user without the right to store is refused, and no file is lost', async () => {
  const stornext = await withFiles(['a', 'b'], { users: readOnly })
  const list = listOf(['a', 'b'])
  await expect(run(stornext, list)).rejects.toThrow('does not let the user dataintell call file/fsstore')
  expect(list.places('planned')).toHaveLength(2)
})

test('a refusal in the words of Storage Manager is the reason of each file', async () => {
  const stornext = await withFiles(['a', 'b'], { users: readOnly, readings: { missingPrivilege: 'failed' } })
  const list = listOf(['a', 'b'])
  await run(stornext, list)
  const reason = 'Storage Manager: The user may not run file/fsstore.'
  expect(list.listed.map((file) => file.reason)).toEqual([reason, reason])
})

test('a server that is away is waited for, with a note', async () => {
  const stornext = await withFiles(['a', 'b'])
  await stornext.stop()
  const list = listOf(['a', 'b'])
  const notes: string[] = []
  const running = run(stornext, list, { notes })
  await expect.poll(() => notes.join()).toContain('refused the connection')
  await stornext.start()
  await running
  expect(list.places('done')).toHaveLength(2)
})

test('commands wait while the server is down, and are sent once', async () => {
  const stornext = await withFiles(['a', 'b'])
  const list = listOf(['a', 'b'])
  const notes: string[] = []
  const onRecord = () => void (list.places('sent').length > 0 && stornext.requests.length < 3 && stornext.restart(300))
  await run(stornext, list, { notes, onRecord })
  expect(list.places('done')).toHaveLength(2)
  expect(stornext.tapeLog).toHaveLength(2)
  expect(notes.join()).toMatch(/refused the connection|ended the connection/)
})

test('a command that a server refuses for a moment is sent again', async () => {
  const stornext = await withFiles(['a', 'b'])
  stornext.faults.failNext('file/fsstore', 429)
  const list = listOf(['a', 'b'])
  const notes: string[] = []
  await run(stornext, list, { notes })
  expect(list.places('done')).toHaveLength(2)
  expect(requestsTo(stornext, 'file/fsstore')).toBe(2)
  expect(notes[0]).toContain('too many requests')
})

test.for([
  ['an empty body', 200, ''],
  ['a page', 200, '<html>'],
  ['status 503', 503, 'Service Unavailable'],
  ['status 429', 429, ''],
] as const)('%s instead of a state of files loses nothing', async ([, status, body]) => {
  const stornext = await withFiles(['a'])
  stornext.faults.failNext('file/fsfileinfo', status, body)
  const list = listOf(['a'])
  await run(stornext, list)
  expect(list.places('done')).toHaveLength(1)
  expect(stornext.processed(`${root}/a`).store).toBe(1)
})

test.for([
  ['an empty answer', ''],
  ['a page', '<html><body>Storage Manager is starting</body></html>'],
  ['a text', 'Service starting'],
  ['an empty object', '{}'],
] as const)('%s to a command is followed by another look, and the command by another one', async ([, body]) => {
  for (const asyncMode of ['accept', 'refuse'] as const) {
    const stornext = await withFiles(['a', 'b', 'stored'], { readings: { asyncMode } })
    stornext.faults.failNext('file/fsstore', 200, body, { times: 5 })
    const list = listOf(['a', 'b'])
    // Files whose commands may be lost would be requested again after an hour.
    const notes: string[] = []
    await run(stornext, list, { quietMs: 3_600_000, notes })
    expect(list.places('done')).toHaveLength(2)
    expect(['a', 'b'].map((name) => stornext.processed(`${root}/${name}`).store)).toEqual([1, 1])
    expect(notes.some((note) => /Storage Manager/.test(note))).toBe(true)
  }
})

test('a command that was done in spite of an empty answer is not repeated', async () => {
  const stornext = await withFiles(['a', 'b'])
  stornext.faults.failNext('file/fsstore', 200, '')
  const list = listOf(['a', 'b'])
  const notes: string[] = []
  const running = run(stornext, list, { quietMs: 3_600_000, settleMs: 200, notes })
  await expect.poll(() => notes.length).toBeGreaterThan(0)
  for (const name of ['a', 'b']) stornext.addFile(`${root}/${name}`, { size: 0 })
  await running
  expect(list.places('done')).toHaveLength(2)
  expect(requestsTo(stornext, 'file/fsstore')).toBe(1)
})

test('after a cancel no further commands are sent', async () => {
  const names = Array.from({ length: 1_400 }, (_, i) => `f${i}`)
  const stornext = await withFiles(names)
  stornext.clock.speed = 1
  const cancel = new AbortController()
  const list = listOf(names)
  const running = run(stornext, list, { signal: cancel.signal })
  running.catch(() => {})
  await expect.poll(() => stornext.jobs.all().length).toBe(32)
  cancel.abort(new TaskCancelled())
  await expect(running).rejects.toThrow(TaskCancelled)
  await wait(20)
  expect(requestsTo(stornext, 'file/fsstore')).toBe(32)
  expect(list.places('sent')).toHaveLength(1_280)
})

test('a job that takes long has a note, also while the drive is busy', async () => {
  const stornext = await withTapes({ A00001L8: ['a'] })
  stornext.drive.isBusy = true
  const list = listOf(['a'])
  const notes: string[] = []
  const running = run(stornext, list, { verb: 'retrieve', notes })
  await expect.poll(() => notes.join()).toMatch(/job 17 \(1 file\) is RUNNING for .* A tape may be missing/)
  stornext.drive.isBusy = false
  await running
  expect(list.places('done')).toHaveLength(1)
})

test('a certificate is accepted by its fingerprint only, and no password goes elsewhere', async () => {
  const stornext = await withFiles(['a'], { tls: certificate })
  const connection = { ...connectionTo(stornext), host: new URL(stornext.tlsUrl ?? '').host }
  const list = listOf(['a'])
  await expect(run(stornext, list, { connection })).rejects.toThrow('is not trusted')
  await expect(run(stornext, list, { connection: { ...connection, fingerprint: 'AB:CD' } })).rejects.toThrow(
    'is not the expected one',
  )
  expect(stornext.requests).toHaveLength(0)
  const { fingerprint = '' } = stornext
  await run(stornext, list, { connection: { ...connection, fingerprint } })
  expect(list.places('done')).toHaveLength(1)
})
