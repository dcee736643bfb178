import { expect, test } from 'vitest'
import { pathOf } from '../../testing/decodeRows.ts'
import { StoreBusy } from '../system.ts'
import { filesIn, forever, keysOf, rowsOf } from '../testing.ts'
import { dropboxCheck } from './index.ts'
import { newSeenPaths } from '../seenPaths.ts'
import { hashOf } from './simulator/entries.ts'
import { failure, manyFiles, openFolder, signIn, simulator } from './testing.ts'

const files = manyFiles(5_000)
const sorted = (paths: string[]) => [...paths].sort()
const pathsOf = (found: { path: string }[], below = '') =>
  sorted(found.filter(({ path }) => path.startsWith(below)).map(({ path }) => path.slice(1)))

test('a scan finds what is there: each path once, in one spelling, with who changed it and its hash', async () => {
  const names = { 'dbid:0': 'Ana', 'dbid:1': 'Bo', 'dbid:2': 'Cleo' }
  const store = await simulator({ files, behaviour: { names } })
  const system = openFolder(store)
  const found = filesIn(await rowsOf(system))
  const facts = found.map((row) => [pathOf(row), row.size, row.modified, row.owner, row.etag, row.created])
  const expected = files.map(({ path, size, modified, owner = '' }) => {
    return [
      path,
      `${size}`,
      `${modified}`,
      new Map(Object.entries(names)).get(owner) ?? owner,
      `dropbox:${hashOf(path)}`,
      '0',
    ]
  })
  const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(facts)).toEqual(inOrder(expected))
  expect(system.requests()).toBe(store.calls.length)
  expect(store.calls.slice(0, 3)).toEqual(['/oauth2/token', 'users/get_current_account', 'files/list_folder'])
  // Four ids, one of which is not known: it alone stays an id, and each is requested once.
  expect(store.calls.filter((name) => name === 'users/get_account_batch').length).toBeLessThanOrEqual(5)
  expect(new Set(facts.map(([, , , owner]) => owner))).toEqual(new Set(['', 'Ana', 'Bo', 'Cleo', 'dbid:3']))
})

test('owners are shown as ids where their names may not be read, and the scan says what to do', async () => {
  const store = await simulator({ behaviour: { withoutSharing: true } })
  const system = openFolder(store)
  expect(filesIn(await rowsOf(system)).some(({ owner }) => owner === 'dbid:0')).toBe(true)
  expect(system.note?.()).toMatch(/^Owners are shown as IDs: get a new code/)
  expect(store.calls.filter((name) => name === 'users/get_account_batch')).toHaveLength(1)
})

test('the space of a team is scanned if the storage says so, and named in a note if not', async () => {
  const own = [{ path: '/Ana/own', size: 1, modified: 1 }]
  const team = [...own, { path: '/Team/shared', size: 2, modified: 2 }]
  const store = await simulator({ files: team, behaviour: { home: '/Ana' } })
  const usual = openFolder(store)
  expect(await keysOf(usual)).toEqual(['own'])
  expect(usual.note?.()).toMatch('the folders of the team are not included')
  const whole = openFolder(store, { teamSpace: true })
  expect(sorted(await keysOf(whole))).toEqual(['Ana/own', 'Team/shared'])
  expect(whole.note?.()).toBe(undefined)
  expect(await keysOf(openFolder(store, { teamSpace: true, path: '/Team' }))).toEqual(['shared'])
  await dropboxCheck({ url: store.url, path: '/Team', teamSpace: true, ...signIn }, forever)
  await expect(dropboxCheck({ url: store.url, path: '/Team', ...signIn }, forever)).rejects.toThrow('no folder /Team')
  store.behaviour.home = undefined as never
  expect(await failure(keysOf(openFolder(store, { teamSpace: true })))).toMatch('has no team space')
})

test('a repeated entry, in the same page or a later one, is sent once', async () => {
  for (const pageSize of [40, 5_000]) {
    const store = await simulator({ behaviour: { repeats: true, pageSize } })
    expect(sorted(await keysOf(openFolder(store)))).toEqual(pathsOf(store.files))
  }
})

test('the last of two equal entries in a page counts, and deleted ones are left out', async () => {
  const store = await simulator()
  const file = (size: number, path = '/A/b') => ({
    '.tag': 'file',
    name: path.slice(path.lastIndexOf('/') + 1),
    path_lower: path.toLowerCase(),
    path_display: path,
    size,
    client_modified: '2026-01-01T00:00:00Z',
  })
  const entries = [file(1), file(5, '/gone'), file(2), { '.tag': 'deleted', name: 'gone', path_lower: '/gone' }]
  const system = openFolder(store)
  await system.check(forever)
  store.behaviour.instead = (response) => response.end(JSON.stringify({ entries, cursor: 'c', has_more: false }))
  const { entries: found } = await system.page('', { idle: 0, signal: forever })
  expect([...found].map(({ parentPath, name, size, modified }) => [parentPath, name, size, modified])).toEqual([
    ['/A/', 'b', 2, 1_767_225_600],
  ])
})

test('an odd entry, or one of a future kind, is counted, and all others are listed', async () => {
  const store = await simulator()
  const file = (name: string, changes: object = {}) => ({
    '.tag': 'file',
    name,
    path_lower: `/${name}`,
    path_display: `/${name}`,
    size: 7,
    client_modified: '2026-01-01T00:00:00Z',
    ...changes,
  })
  const entries = [
    file('a'),
    file('b', { size: undefined }),
    file('c', { size: -1 }),
    file('d', { client_modified: 'n/a' }),
    file('e', { path_lower: undefined }),
    { ...file('f'), '.tag': 'shortcut' },
    file('g', { sharing_info: 5, content_hash: null }),
  ]
  const system = openFolder(store)
  await system.check(forever)
  store.behaviour.instead = (response) => response.end(JSON.stringify({ entries, cursor: 'c', has_more: false }))
  const page = await system.page('', { idle: 0, signal: forever })
  expect([...page.entries].map(({ name, size, modified }) => [name, size, modified])).toEqual([
    ['a', 7, 1_767_225_600],
    ['b', -1, 1_767_225_600],
    ['c', -1, 1_767_225_600],
    ['d', 7, 0],
    ['g', 7, 1_767_225_600],
  ])
  expect(system.note?.()).toBe(
    '5 records could not be read in full: 2 without a key were left out, 2 without a size, 1 without a date.',
  )
})

test('a listing that has to restart continues without sending anything twice', async () => {
  const store = await simulator({ behaviour: { pageSize: 20 } })
  const system = openFolder(store)
  const first = await system.page('', { idle: 0, signal: forever })
  const keys = [...first.entries].map(({ parentPath, name }) => (parentPath + name).slice(1))
  store.behaviour.resets = 2
  const parts = [...first.rest]
  const seen = new Set<string>(['', ...parts])
  while (parts.length > 0) {
    const page = await system.page(parts.pop() as string, { idle: 0, signal: forever })
    keys.push(...[...page.entries].map(({ parentPath, name }) => (parentPath + name).slice(1)))
    for (const part of page.rest) expect(seen.size).toBe(seen.add(part).size - 1)
    parts.push(...page.rest)
  }
  expect(sorted(keys)).toEqual(pathsOf(store.files))
})

test('an attempt that resumes another one cannot restart: it would send the same entries twice', async () => {
  const store = await simulator({ behaviour: { pageSize: 20 } })
  const { rest } = await openFolder(store).page('', { idle: 0, signal: forever })
  store.behaviour.resets = 1
  const later = openFolder(store)
  expect(await failure(later.page(rest[0] as string, { idle: 0, signal: forever }))).toBe(
    'The listing expired at Dropbox. Start the scan again.',
  )
  store.behaviour.resets = 100
  expect(await failure(keysOf(openFolder(store)))).toMatch('Start the scan again')
})

test('a folder, and a part of it, are listed alone, in any letter case', async () => {
  const store = await simulator({ files })
  const inShow = openFolder(store, { path: '/SHOW 3' })
  await inShow.check(forever)
  const below = pathsOf(files, '/Show 3/').map((path) => path.slice('Show 3/'.length))
  expect(sorted(await keysOf(inShow))).toEqual(below)
  const inReel = openFolder(store, { path: '/Show 3', scannedPath: '/Réel 4' })
  expect(sorted(await keysOf(inReel))).toEqual(below.filter((path) => path.startsWith('Réel 4/')))
  expect(await keysOf(openFolder(store, { path: '/Show 3', scannedPath: '/gone' }))).toEqual([])
})

test('an expired token is replaced once; one that is never accepted is reported', async () => {
  const store = await simulator({ behaviour: { pageSize: 10, callsOfToken: 3 } })
  expect(await keysOf(openFolder(store))).toHaveLength(100)
  expect(store.calls.filter((name) => name === '/oauth2/token').length).toBeGreaterThan(3)
  store.behaviour.callsOfToken = 0
  expect(await failure(keysOf(openFolder(store)))).toMatch('does not accept the sign-in: get a new code')
})

test('a busy Dropbox is retried later, after the delay that it requests', async () => {
  const store = await simulator({ behaviour: { busy: 1, busyHeaders: { 'retry-after': '9' } } })
  const system = openFolder(store)
  const error: unknown = await system.page('', { idle: 0, signal: forever }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StoreBusy)
  expect(error).toMatchObject({ message: 'Dropbox is too busy: too_many_requests', retryAfterMs: 9_000 })
  Object.assign(store.behaviour, { busy: 3, busyHeaders: { 'retry-after': '0' } })
  expect(filesIn(await rowsOf(system))).toHaveLength(100)
})

test('problems that users can fix are explained in words', async () => {
  const store = await simulator()
  const reasonFor = (changes = {}) => failure(keysOf(openFolder(store, changes)))
  expect(await reasonFor({ path: '/x' })).toBe('Dropbox has no folder /x')
  expect(await reasonFor({ path: store.files[0]?.path })).toMatch(/^\/Show 0\/.* is not a Dropbox folder$/)
  expect(await reasonFor({ appKey: 'other' })).toBe('Dropbox does not know the app key of this server')
  store.behaviour.missingScope = 'files.metadata.read'
  expect(await reasonFor()).toMatch('it needs files.metadata.read and account_info.read')
  store.behaviour.isRevoked = true
  expect(await reasonFor()).toBe('Dropbox no longer accepts this code. Get a new one, and save it in the credentials')
  for (const path of ['', 'x', '/x/', '//x']) expect(() => openFolder(store, { path })).toThrow('is not a Dropbox path')
  for (const url of ['x', 'http://169.254.169.254', 'https://me:secret@example.com'])
    expect(() => openFolder({ url })).toThrow('The URL of Dropbox ')
})

test('a server other than Dropbox is reported, and no redirect is followed', async () => {
  const store = await simulator()
  const other = await simulator()
  const reasonFor = (instead: typeof store.behaviour.instead) => {
    store.behaviour.instead = instead
    return failure(keysOf(openFolder(store, {}, { idleMs: 300, maxBytes: 10_000 })))
  }
  const page = '<!DOCTYPE html><html><body>Sign in</body></html>'
  const webPage = '127.0.0.1 answers with a web page instead of as Dropbox does'
  expect(await reasonFor((response) => response.end(page))).toBe(webPage)
  expect(await reasonFor((response) => response.writeHead(404).end(page))).toBe(webPage)
  expect(await reasonFor((response) => response.end('{"entries":[]}'))).toBe(
    '127.0.0.1 does not answer as Dropbox does',
  )
  expect(await reasonFor((response) => response.end('{'))).toBe('127.0.0.1 does not answer as Dropbox does')
  expect(await reasonFor((response) => response.writeHead(400).end('Error in call:\nno cursor'))).toBe(
    'Dropbox refused with status 400: Error in call: no cursor',
  )
  expect(await reasonFor((response) => response.end(' '.repeat(20_000)))).toMatch('sends a page that is too long')
  expect(await reasonFor(() => {})).toBe('The host 127.0.0.1 does not answer')
  const location = `${other.url}/oauth2/token`
  expect(await reasonFor((response) => response.writeHead(307, { location }).end())).toMatch('which is not followed')
  expect(other.calls).toEqual([])
})

test("the space is the account's, or the team's if members have no limit of their own", async () => {
  const store = await simulator()
  const system = openFolder(store)
  const account = { total: 1_000, used: 300, free: 700, fileSystem: 'Dropbox dbid:planted' }
  expect(await system.capacity(forever)).toEqual(account)
  const team = { '.tag': 'team', allocated: 5_000, used: 6_000 }
  store.behaviour.allocation = team
  expect(await system.capacity(forever)).toMatchObject({ total: 5_000, used: 6_000, free: 0 })
  store.behaviour.allocation = { ...team, user_within_team_space_allocated: 400 }
  expect(await system.capacity(forever)).toMatchObject({ total: 400, used: 300, free: 100 })
  store.behaviour.missingScope = 'account_info.read'
  expect(await system.capacity(forever)).toBe(undefined)
})

test('a folder is checked by the account and by the folder itself', async () => {
  const store = await simulator()
  await dropboxCheck({ url: store.url, path: '/Show 1', ...signIn }, forever)
  expect(store.calls).toEqual(['/oauth2/token', 'users/get_current_account', 'files/list_folder'])
  await expect(dropboxCheck({ url: store.url, path: '/x', ...signIn }, forever)).rejects.toThrow('has no folder /x')
})

test('paths that were seen are known, within bounds', () => {
  const seen = newSeenPaths(10_000)
  for (let i = 0; i < 10_000; i++) expect(seen.isNew(`/path ${i}`)).toBe(true)
  for (let i = 0; i < 10_000; i++) expect(seen.isNew(`/path ${i}`)).toBe(false)
  for (let again = 0; again < 2; again++) expect(seen.isNew('/one more')).toBe(true)
})
