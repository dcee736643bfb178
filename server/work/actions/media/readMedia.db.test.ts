import { expect, test } from 'vitest'
import type { MediaFacts } from '#events/media/facts.ts'
import { mediaCoverage } from '#events/media/coverage.ts'
import { readCoverage } from './readCoverage.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readUnread } from './startReadingMedia.ts'
import { storeMedia } from './storeMedia.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform

const modified = 1_600_000_000
const entry = (path: string, inode: number, change: object = {}) => {
  return { path, size: 500_000, allocatedSize: 500_224, modified, inode, ...change }
}
const facts = (texts: MediaFacts['texts'], numbers: MediaFacts['numbers'] = {}): MediaFacts => {
  return { texts, numbers, details: { tracks: [], chapters: [{ start: 1, title: "O'Brien\t\\" }] } }
}
const { signal } = new AbortController()
const everything = { signal, roles: [], scope: 'everything', id: 1, name: 'Ana', address: null } as unknown as Caller

test('only media files on disk whose content is unknown are read, and facts are stored by content', async () => {
  const { id: volumeId } = await db
    .insertInto('volumes')
    .values({ name: 'Films', path: '/mnt/films', type: 'crawl.files', agentId: 1, readMedia: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const scan = (indexingDate: string, ...changed: ReturnType<typeof entry>[]) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries: changed }])
  const selected = async () =>
    clickhouse.rows<{ position: number; selection: number; part: number; name: string }>(
      sql`SELECT position, toFloat64(selection) AS selection, part, name FROM selected_entries ORDER BY selection, position`,
    )
  await scan(
    '2026-01-01',
    entry('/a.mov', 1),
    entry('/b.JPG', 2),
    entry('/c.txt', 3),
    entry('/tape.mov', 4, { allocatedSize: 0 }),
  )
  await readUnread(platform, volumeId)
  const first = await selected()
  expect(first.map(({ name }) => name)).toEqual(['a.mov', 'b.JPG'])
  await readUnread(platform, volumeId)
  expect(await selected()).toHaveLength(2)

  const [movie, photo] = first
  const report = { taskId: 1, run: 'run', attempt: 1, sequence: 1, note: '', bytesInProgress: 0 }
  const outcome = { reference: '', reason: '' }
  await storeMedia(
    platform,
    { selection: movie?.selection ?? 0, part: movie?.part ?? 0 },
    {
      ...report,
      outcomes: [
        {
          ...outcome,
          position: movie?.position ?? 0,
          state: 'done',
          media: facts({ 'video.codec': "pro'res\\\t" }, { 'video.frameRate': 23.976 }),
        },
        { ...outcome, position: photo?.position ?? 0, state: 'failed', reason: 'It is damaged', media: facts({}) },
      ],
    },
  )
  const stored = await clickhouse.rows(
    sql`SELECT texts['video.codec'] AS codec, numbers['video.frameRate'] AS rate, JSONExtractString(details, 'chapters', 1, 'title') AS title, failure FROM media_facts FINAL WHERE volume = ${volumeId} ORDER BY failure`,
  )
  const title = "O'Brien\t\\"
  expect(stored).toEqual([
    { codec: "pro'res\\\t", rate: 23.976, title, failure: '' },
    { codec: '', rate: 0, title, failure: 'It is damaged' },
  ])
  expect(mediaCoverage.answer.parse(await readCoverage(platform, volumeId, everything))).toEqual({
    files: 3,
    read: 1,
    failed: 1,
    failures: [{ path: '/mnt/films/b.JPG', reason: 'It is damaged' }],
  })
  const place = { volumeId, path: '/other', fromScan: 0, beforeScan: 2 ** 31 - 1 }
  const limited = { ...everything, scope: { places: [place], projects: [] } }
  expect(await readCoverage(platform, volumeId, limited)).toEqual({ files: 0, read: 0, failed: 0, failures: [] })
})

test('objects are read whose content has a key and that are in no archive class, with their ETag and their store', async () => {
  const { id: volumeId } = await db
    .insertInto('volumes')
    .values({ name: 'Cloud', path: 's3://films', type: 'OTHER', agentId: 1, readMedia: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const object = (path: string, change: object = {}) =>
    entry(path, 0, { etag: 'a'.repeat(32), storageClass: 'STANDARD', ...change })
  const entries = [
    object('/a.mov'),
    object('/b.mov', { storageClass: 'GLACIER' }),
    object('/c.mov', { storageClass: 'Archive' }),
    object('/d.mov', { etag: '' }),
    object('/e.mov', { storageClass: 'GLACIER_IR', etag: 'b'.repeat(32) }),
  ]
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries }])
  await readUnread(platform, volumeId)
  const rows = sql`SELECT concat(parent_path, name) AS path, place FROM selected_entries WHERE volume = ${volumeId} ORDER BY path`
  const place = (letter: string): unknown => expect.stringMatching(new RegExp(`^\\d+ ${letter.repeat(32)}$`))
  expect(await clickhouse.rows(rows)).toEqual([
    { path: '/a.mov', place: place('a') },
    { path: '/e.mov', place: place('b') },
  ])
})
