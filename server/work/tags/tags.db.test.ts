import { beforeAll, expect, test } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { maxTagLength, readReportTag, reportTag } from '#events/tags.ts'
import { createApp } from '#server/app.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { tagRoutes } from './index.ts'

const platform = await testPlatform()
const heard: LiveEvent[] = []
const listening = { ...platform, live: (event: LiveEvent) => void heard.push(event) }
const app = createApp(listening, [...tagRoutes(listening), ...searchRoutes(listening)])
const ask = asUser(app, await testSession(platform.db, ['ROLE_PROJECT_MANAGER']))

let volumeId = 0
const files: File[] = [
  { path: '/films', isDirectory: true },
  { path: "/o'hara \\ 100%.mov" },
  { path: '/old.mov', inode: 5 },
  { path: '/gone.mov', inode: 77, modified: 1_500_000_000 },
]
const scan = (indexingDate: string, entries = files) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries },
    { path: '/films', entries: [{ path: '/films/a.mov' }, { path: '/films/b.mov' }] },
  ])

beforeAll(async () => {
  volumeId = await newVolume(platform, 'Films')
  await scan('2026-01-01')
})

const entry = (path: string, isDirectory = false) => ({ volumeId, path, isDirectory })
const change = (paths: string[], tags: { add?: string[]; remove?: string[] }, query = '') =>
  ask('PUT', `/api/v1/files/tags${query}`, { entries: paths.map((path) => entry(path)), ...tags })
const known = async (query = '') => (await ask('GET', `/api/v1/files/tags${query}`).expect(200)).body as string[]
const shown = async (query = '') => {
  const { body } = await ask('GET', `/api/files/search?sort=path&${query}`).expect(200)
  return body.elements.map(({ path, customTag }: { path: string; customTag: string[] }) => [path, ...customTag])
}
const idOf = async (name: string, kind: 'files' | 'directories' = 'files') =>
  (await ask('GET', `/api/${kind}/search?name=${name}`)).body.elements[0] as { fileId: string; customTag: string[] }

test('tags are added to a selection and removed from it, and what is there already stays as it is', async () => {
  expect(await known()).toEqual([])
  expect((await change(['/films/a.mov', '/films/b.mov'], { add: ['raw', ' Über '] })).body).toEqual({ changed: 2 })
  expect((await change(['/films/a.mov', '/old.mov'], { add: ['raw', 'raw'] })).body).toEqual({ changed: 1 })
  expect((await change(['/films/b.mov', '/old.mov'], { remove: ['Über'], add: ['x'] })).body).toEqual({ changed: 2 })
  expect((await change(['/films/b.mov'], { remove: ['Über'] })).body).toEqual({ changed: 0 })
  expect(await shown('tag=raw')).toEqual([
    ['/films/a.mov', 'raw', 'Über'],
    ['/films/b.mov', 'raw', 'x'],
    ['/old.mov', 'raw', 'x'],
  ])
  expect(await shown('tag=x&tags=Über')).toHaveLength(3)
  expect(await known()).toEqual(['raw', 'x', 'Über'])
  expect(await known('?search=R')).toEqual(['raw', 'Über'])
  expect(await known('?size=1')).toEqual(['raw'])
  expect(heard).toContainEqual({ type: 'changed', topics: ['tags'] })
})

test('a change is in the audit log, with who made it and what was there before', async () => {
  const { stream } = await platform.db
    .selectFrom('events')
    .select('stream')
    .where('stream', 'like', 'tags-%')
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow()
  const [change] = await readStream(platform.db, stream)
  expect(change?.actor).toMatch(/^user-/)
  expect(change?.event).toMatchObject({
    type: 'TagsChanged',
    indexingDate: '2026-01-01',
    changed: 2,
    entries: [
      { path: '/films/b.mov', before: ['raw', 'Über'], added: ['x'], removed: ['Über'] },
      { path: '/old.mov', before: ['raw'], added: ['x'], removed: [] },
    ],
  })
})

test('a selection is tagged as a whole or, when one of it is not there, not at all', async () => {
  const before = await shown()
  for (const path of ['/films/c.mov', '/films', '/', '/films/a.mov/', '//films/a.mov']) {
    const { status, body } = await change(['/films/a.mov', path], { add: ['never'] })
    expect([status, body.message]).toEqual([404, `There is no file ${path}`])
  }
  expect(
    (await ask('PUT', '/api/v1/files/tags', { entries: [{ ...entry('/old.mov'), volumeId: 999 }], add: ['a'] })).status,
  ).toBe(404)
  expect(await shown()).toEqual(before)
})

test('a file or folder is given exactly the tags of its record, and hidden ones stay', async () => {
  const { fileId, ...record } = await idOf('a.mov')
  await platform.clickhouse.command(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES (${reportTag('Old. films', '2026-01-01')}, ${volumeId}, '/films/', 'a.mov', false, '2026-01-01', '2149-06-06', 1)`)
  const { body } = await ask('PUT', `/api/files/${fileId}`, { ...record, customTag: ['new', 'raw'], size: -5 }).expect(
    200,
  )
  expect(body).toEqual({ fileId, ...record, customTag: ['new', 'raw'] })
  expect(await shown('tag=new')).toEqual([['/films/a.mov', 'new', 'raw']])
  expect((await ask('GET', '/api/v1/files/reports')).body).toEqual(['Old. films'])
  expect(await shown('report=Old. films')).toHaveLength(1)
  expect(await shown(`report=${reportTag('Old. films', '2026-01-01')}`)).toHaveLength(1)
  expect(await shown('report=Old')).toEqual([])
  expect(await known()).not.toContain(reportTag('Old. films', '2026-01-01'))

  const folder = await idOf('films', 'directories')
  const tagged = await ask('PUT', `/api/files/${folder.fileId}`, { ...folder, customTag: ['whole'] }).expect(200)
  expect(tagged.body).toEqual({ ...folder, customTag: ['whole'] })
  expect((await ask('PUT', '/api/files/00ff', { customTag: [] })).status).toBe(404)
})

test('names of every kind are tagged, and tags may hold any signs', async () => {
  const path = "/o'hara \\ 100%.mov"
  const add = ["'; DROP TABLE entry_tags; --", '%_*?\\', '{p0:String}', '🎬 a  b', 'x'.repeat(maxTagLength)]
  await change([path], { add }).expect(200)
  expect(new Set((await shown(`tag=${encodeURIComponent(add[1]!)}`))[0])).toEqual(new Set([path, ...add]))
  expect(await known('?search=%25')).toEqual(['%_*?\\'])
  await change([path], { remove: add }).expect(200)
  expect(await known('?search=DROP')).toEqual([])
})

test('wrong tags, dates and selections are refused by name, and nothing changes', async () => {
  const before = await shown()
  const one = [entry('/old.mov')]
  const wrong: [object | string, string][] = [
    [{ entries: one, add: [' '] }, 'add.0'],
    [{ entries: one, add: ['\u200b'] }, 'add.0'],
    [{ entries: one, add: ['a\nb'] }, 'add.0'],
    [{ entries: one, add: ['a\u0000b'] }, 'add.0'],
    [{ entries: one, add: ['\ud800'] }, 'add.0'],
    [{ entries: one, add: ['x'.repeat(maxTagLength + 1)] }, 'add.0'],
    [{ entries: one, add: [' DataIntell.mine'] }, 'add.0'],
    [{ entries: one, remove: [reportTag('Old. films', '2026-01-01')] }, 'remove.0'],
    [{ entries: one, add: [1] }, 'add.0'],
    [{ entries: one, add: 'a' }, 'add'],
    [{ entries: one, add: Array.from({ length: 101 }, (_, i) => `${i}`) }, 'add'],
    [{ entries: one, add: ['a', 'b'], remove: ['b'] }, 'remove'],
    [{ entries: one }, 'add'],
    [{ entries: [], add: ['a'] }, 'entries'],
    [{ entries: Array.from({ length: 1001 }, () => one[0]), add: ['a'] }, 'entries'],
    [{ entries: [{ ...one[0], volumeId: 2 ** 40 }], add: ['a'] }, 'entries.0.volumeId'],
    [{ entries: [{ ...one[0], path: 'old.mov' }], add: ['a'] }, 'entries.0.path'],
  ]
  for (const [body, field] of wrong) {
    const answer = await ask('PUT', '/api/v1/files/tags', body)
    expect([JSON.stringify(body).slice(0, 60), answer.status, answer.body.subErrors?.[0].field]).toEqual([
      JSON.stringify(body).slice(0, 60),
      400,
      field,
    ])
  }
  for (const query of [
    '',
    '?tagToApply=',
    '?tagToApply=a&isDirectory=maybe',
    '?tagToApply=dataintell.x',
    '?tagToApply=a&minimumSize=x',
  ])
    expect([query, (await ask('POST', `/api/v1/files/search/tags${query}`)).status]).toEqual([query, 400])
  expect(await shown()).toEqual(before)
})

test('a misspelled filter, or none, tags nothing; all there is takes a word of its own, or an empty search', async () => {
  const before = await shown()
  const refusal = async (path: string, body?: object) => {
    const answer = await ask('POST', `/api/v1/${path}`, body)
    return [answer.status, answer.body.subErrors]
  }
  const unknown = { field: 'volumeID', message: 'is not a parameter of this call' }
  expect(await refusal('files/search/tags?volumeID=2&tagToApply=t')).toEqual([400, [unknown]])
  const everything = 'must be true where no filter is given, since all entries are tagged'
  const none = [400, [{ field: 'everything', message: everything }]]
  expect(await refusal('files/search/tags?tagToApply=t')).toEqual(none)
  expect(await refusal('files/search/tags?tagToApply=t&minimumSizeUnit=KB&onlyDuplicates=false')).toEqual(none)
  expect(await refusal('files/search/tags?tagToApply=t&everything=false')).toEqual(none)
  expect(await refusal('search/tags?tagToApply=t', [])).toEqual(none)
  expect(await shown()).toEqual(before)
  await ask('POST', '/api/v1/files/search/tags?tagToApply=t&everything=true').expect(200)
  await ask('POST', '/api/v1/search/tags?tagToApply=t&everything=true', []).expect(200)
  await ask('POST', '/api/v1/files/search/tags?tagToApply=t&search=nothing').expect(200)
  await ask('POST', '/api/v1/files/search/tags?tagToApply=t&search=').expect(200)
})

test('a large selection with long paths is tagged at once', async () => {
  const long = Array.from({ length: 300 }, (_, i) => ({ path: `/${"'".repeat(200)}${i}`, inode: 1000 + i }))
  await scan('2026-01-02', [...files, ...long])
  expect(
    (
      await change(
        long.map(({ path }) => path),
        { add: ['long'] },
      )
    ).body,
  ).toEqual({ changed: 300 })
  const { body } = await ask('GET', '/api/files/search?tag=long&size=1000')
  expect([
    body.total,
    body.elements.every(({ customTag }: { customTag: string[] }) => customTag[0] === 'long'),
  ]).toEqual([300, true])
})

test('a previous snapshot is read-only, and keeps its tags', async () => {
  const then = await shown('indexingDate=2026-01-02&size=5')
  await scan('2026-01-05', [files[0]!, { path: '/new.mov', inode: 5 }])
  const old = await ask('PUT', '/api/v1/files/tags?indexingDate=2026-01-03', {
    entries: [entry('/films', true)],
    add: ['a'],
  })
  expect([old.status, old.body]).toEqual([
    409,
    { message: 'Unable to update a folder from a previous snapshot as it is read only', code: 'index-write' },
  ])
  const { fileId, ...record } = await idOf('a.mov')
  const message = 'Unable to update a file from a previous snapshot as it is read only'
  const day = '?indexingDate=2026-01-02'
  expect((await ask('PUT', `/api/files/${fileId}${day}`, { ...record })).body).toEqual({ message, code: 'index-write' })
  expect((await ask('PUT', `/api/files/${fileId}`, { ...record, indexingDate: '2026-01-02' })).body.message).toBe(
    message,
  )
  expect((await ask('POST', `/api/v1/files/search/tags${day}&tagToApply=a`)).body.message).toBe(message)
  await ask('PUT', `/api/files/${fileId}?indexingDate=2026-02-01`, { ...record, customTag: ['late'] }).expect(200)

  expect(await shown('tag=raw')).toEqual([
    ['/films/b.mov', 'raw', 'x'],
    ['/new.mov', 'raw', 'x'],
  ])
  expect(await known(day)).toContain('new')
  expect(await known()).not.toContain('new')
  expect(await shown('indexingDate=2026-01-02&size=5')).toEqual(then)
  const gone = await ask('PUT', '/api/v1/files/tags', { entries: [entry('/gone.mov')], add: ['missed'] })
  expect(gone.body).toEqual({ changed: 1 })
  expect(await shown('showOnlyDeletedFiles=true&tag=missed')).toEqual([['/gone.mov', 'missed']])
})

test('two who change the same entry at once end in one state that both saw', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      change(['/films/a.mov', '/films/b.mov'], i % 2 ? { add: ['both'] } : { remove: ['both'] }).expect(200),
    ),
  )
  expect([0, 2]).toContain((await shown('tag=both')).length)
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => change(['/films/a.mov'], { add: [`at once ${i}`] }).expect(200)),
  )
  expect(await known('?search=at once')).toHaveLength(8)
})

test('the tag of a report names it and its day, with any name', () => {
  for (const name of ['Old films', 'a.2026-01-01', 'a.b', '\n', '2026-01-01'])
    expect(readReportTag(reportTag(name, '2026-11-21'))).toEqual({ name, day: '2026-11-21' })
  for (const tag of ['a', reportTag('', '2026-01-01'), 'dataintell.report.x', 'dataintell.report.x.2026-1-1'])
    expect(readReportTag(tag)).toBeUndefined()
})
