import { beforeAll, expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import { readMedia } from '#server/content/media/testing.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { exportRoutes } from '#server/questions/exports/index.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { searchRoutes } from './index.ts'
import { testSearch } from './testing.ts'

const platform = await testPlatform()
const { ask, get, post } = await testSearch(platform)

const film = (codec: string, width: number, duration: number) => ({
  texts: { 'video.codec': codec, 'media.container': 'MPEG-4' },
  numbers: { 'video.width': width, 'video.height': 1080, 'video.frameRate': 23.976, 'media.duration': duration },
})
let volumeId: number
/** Reads another content of `long.mov`, with the same name. */
const scan = (indexingDate: string, longModified: number) => {
  const own = { 'video.codec': 'h264', camera: 'A7' }
  const entries = [
    { path: '/long.mov', inode: 1, size: 5000, modified: longModified },
    { path: '/short.mov', inode: 2, size: 300 },
    { path: '/archived.mov', inode: 3, size: 20, metadata: own },
    { path: '/photo.jpg', inode: 4, size: 7 },
    { path: '/broken.mp4', inode: 5, size: 6 },
    { path: '/notes.txt', inode: 6, size: 3, metadata: { 'video.width': 'wide' } },
  ]
  return scanFolders(platform, { volumeId, indexingDate, cloneIndex: false }, [{ path: '', entries }])
}

beforeAll(async () => {
  volumeId = await newVolume(platform, 'Films')
  await scan('2026-01-01', 1_600_000_000)
  const details = {
    tracks: [{ kind: 'video' as const, facts: { Codec: 'prores' } }],
    chapters: [{ start: 1.5, title: 'Credits' }],
  }
  // Of two readings, the later one counts.
  await readMedia(platform, 'long.mov', film('mpeg2video', 1920, 100))
  await readMedia(platform, 'long.mov', { ...film('prores', 3840, 5400.25), details })
  await readMedia(platform, 'short.mov', film('ProRes', 1280, 12))
  await readMedia(platform, 'archived.mov', film('hevc', 7680, 60))
  await readMedia(platform, 'photo.jpg', {
    texts: { 'image.camera': 'Leica M11', 'image.takenOn': '2019-07-01T10:00:00' },
  })
  await readMedia(platform, 'broken.mp4', {}, 'The file ends too early')
})

const namesOf = (page: { elements: Entry[] }) => page.elements.map(({ name }) => name)
const found = async (...criteria: object[]) => namesOf(await post('/v1/search?sort=name', criteria))

test('files are found by the texts and numbers that were read from them, and by metadata of their own', async () => {
  expect(await found({ 'metadata.video.codec': { value: 'PRORES' } })).toEqual(['long.mov', 'short.mov'])
  expect(await found({ 'metadata.video.codec': { values: ['hevc', 'mpeg2video'] } })).toEqual(['archived.mov'])
  expect(await found({ 'metadata.video.codec': { value: 'h264' } })).toEqual(['archived.mov'])
  expect(await found({ 'metadata.media.duration': { min: 60, max: 5400.25 } })).toEqual(['archived.mov', 'long.mov'])
  expect(await found({ 'metadata.video.frameRate': { value: 23.976 } })).toHaveLength(3)
  expect(await found({ 'metadata.video.width': { values: [1280, 99.5] } })).toEqual(['short.mov'])
  const others = await found({ 'metadata.video.width': { min: 0 }, excludeFilter: true })
  expect(others).toEqual(['broken.mp4', 'notes.txt', 'photo.jpg'])
})

test('a number is compared only with numbers', async () => {
  const { body } = await ask('POST', '/api/v1/search', [{ 'metadata.video.width': { wildcard: '19*' } }] as object)
  expect(body.subErrors[0].field).toBe('searchQueries.0.metadata.video.width.wildcard')
})

test('lists have numbers as numbers, and are sorted by them with a cursor', async () => {
  const page = (query: string) => get(`/files/search?size=2&sort=metadata.media.duration&direction=desc${query}`)
  const first = await page('')
  const second = await page(`&cursor=${first.cursor}`)
  expect([...namesOf(first), ...namesOf(second)]).toEqual(['long.mov', 'archived.mov', 'short.mov', 'broken.mp4'])
  expect(first.elements[0].metadata).toEqual({
    'media.container': 'MPEG-4',
    'media.duration': 5400.25,
    'video.codec': 'prores',
    'video.frameRate': 23.976,
    'video.height': 1080,
    'video.width': 3840,
  })
  expect(first.elements[1].metadata).toMatchObject({ camera: 'A7', 'video.codec': 'hevc' })
  const byCodec = namesOf(await get('/files/search?sort=metadata.video.codec&direction=desc'))
  expect(byCodec.slice(0, 3)).toEqual(['long.mov', 'short.mov', 'archived.mov'])
})

test('durations are added up, next to the share of media files that were read', async () => {
  expect(await get('/files/search/media')).toEqual({ files: 5, read: 4, duration: 5472.25 })
  expect(await post('/v1/search/media', [{ size: { max: 300 } }])).toEqual({ files: 4, read: 3, duration: 72 })
  expect(await get('/files/search/media?volumeId=99')).toEqual({ files: 0, read: 0, duration: 0 })
})

test.for([
  ['videoCodec', { prores: 5000, ProRes: 300, hevc: 20 }],
  ['resolution', { '4K': 5000, HD: 300, '8K': 20 }],
  ['frameRate', { '23.976': 5320 }],
  ['camera', { 'Leica M11': 7 }],
  ['yearTaken', { '2019': 7 }],
] as const)('bytes by %s count the files with a value', async ([fieldName, expected]) => {
  const totals = await get(`/files/search/fields?fieldName=${fieldName}`)
  expect(Object.fromEntries(totals.map((one: { field: string; size: number }) => [one.field, one.size]))).toEqual(
    expected,
  )
})

test('fields of media are searchable where files were read', async () => {
  const types = await get('/v1/files/fields/metadata/mapping')
  expect(types).toMatchObject({ 'metadata.video.codec': 'string', 'metadata.video.width': 'double' })
  expect(types).not.toHaveProperty(['metadata.image.lens'])
})

test('a file has tracks and chapters, or the reason why it could not be read', async () => {
  const detailsOf = async (name: string) => {
    const [{ fileId }] = (await get(`/files/search?search=${name}`)).elements
    return get(`/v1/media/files/${volumeId}/${fileId}`)
  }
  expect(await detailsOf('long.mov')).toEqual({
    failure: '',
    tracks: [{ kind: 'video', facts: { Codec: 'prores' } }],
    chapters: [{ start: 1.5, title: 'Credits' }],
  })
  expect(await detailsOf('broken.mp4')).toEqual({ failure: 'The file ends too early', tracks: [], chapters: [] })
  expect(await detailsOf('notes.txt')).toEqual({ failure: null, tracks: [], chapters: [] })
})

test('another file at the same path has no facts until it is read', async () => {
  await scan('2026-01-02', 1_700_000_000)
  expect(await found({ 'metadata.video.codec': { value: 'prores' } })).toEqual(['short.mov'])
  const before = await post('/v1/search?indexingDate=2026-01-01', [{ 'metadata.video.width': { value: 3840 } }])
  expect(namesOf(before)).toEqual(['long.mov'])
})

test('a user with limits has the totals and tracks of visible files alone', async () => {
  const storageId = await newVolume(platform, 'Shared')
  const listed = (folder: string, inode: number) => ({
    path: folder,
    entries: [{ path: `${folder}/${inode}.mov`, inode }],
  })
  await scanFolders(platform, { volumeId: storageId, indexingDate: '2026-01-02' }, [
    { path: '', entries: ['/own', '/other'].map((path) => ({ path, isDirectory: true, size: 0 })) },
    listed('/own', 71),
    listed('/other', 72),
  ])
  await readMedia(platform, '71.mov', film('prores', 1920, 40))
  await readMedia(platform, '72.mov', film('prores', 1920, 2))
  const { elements } = await get(`/files/search?volumeId=${storageId}&sort=name`)
  const { id } = await testUser(platform.db, [])
  const folders = JSON.stringify([{ storageId, path: '/own' }])
  await platform.db
    .insertInto('limits')
    .values({ userId: id, everything: false, projects: [], storages: [], folders })
    .execute()
  const session = await openSession(platform.db, id, '127.0.0.1')
  const limited = asUser(createApp(platform, searchRoutes(platform)), session)
  const failures = await Promise.all(
    elements.map(async ({ name, fileId }: Entry) => {
      const { body } = await limited('GET', `/api/v1/media/files/${storageId}/${fileId}`).expect(200)
      return [name, body.failure]
    }),
  )
  expect(failures).toEqual([
    ['71.mov', ''],
    ['72.mov', null],
  ])
  const totals = { files: 1, read: 1, duration: 40 }
  expect((await limited('GET', '/api/files/search/media').expect(200)).body).toEqual(totals)
  expect((await limited('POST', '/api/v1/search/media', []).expect(200)).body).toEqual(totals)
})

test('downloads have columns of the fields that were read, in the requested order', async () => {
  const day = 'indexingDate=2026-01-01&sort=metadata.media.duration&direction=desc'
  const download = asUser(createApp(platform, exportRoutes(platform)), await testSession(platform.db, []))
  const { body } = await download('GET', `/api/files/search/csv?${day}`).responseType('blob')
  const [heads = [], ...rows] = readCsv(body as Buffer)
  const cell = (row: string[], head: string) => row[heads.indexOf(head)]
  const shown = rows.map((row) =>
    ['Name', 'metadata.video.codec', 'metadata.media.duration'].map((head) => cell(row, head)),
  )
  expect(shown.slice(0, 4)).toEqual([
    ['long.mov', 'prores', '5400.25'],
    ['archived.mov', 'hevc', '60'],
    ['short.mov', 'ProRes', '12'],
    ['broken.mp4', '', ''],
  ])
  expect(heads).not.toContain('metadata.image.lens')
  expect((await download('GET', `/api/files/search/xlsx?${day}`)).status).toBe(200)
})
