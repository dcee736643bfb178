import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { Entry } from '#events/entries.ts'
import type { FolderMap } from '#events/folders/map.ts'
import type { WallStorage } from '#events/wall.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { flushCopy } from '#server/content/snapshots/reading/testing.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { readSheets } from './limits/testing/downloads.ts'
import { nameOf, named, openAllCalls } from './testing/allCalls.ts'
import { namesOf } from './testing/hostileQueries.ts'

/** Calls that accept `live=true` and have the same answer as for the newest day, and why. */
const same: Record<string, string> = {
  'GET /v1/storages': 'capacities are those of scans',
  'GET /v1/files/fields/metadata/mapping': 'files that are followed have no metadata',
  'GET /files/search/media': 'files are read after a scan',
  'POST /v1/search/media': 'files are read after a scan',
  'GET /v1/media/files/:volumeId/:fileId': 'files are read after a scan',
}
/** Lists of figures, in which the time has no place. */
const untimedLists = ['/files/search/dates', '/v1/search/dates', '/files/search/fields', '/v1/search/fields']

const { platform, calls, admin } = await openAllCalls()
const liveCalls = calls.filter((call) => namesOf(call).includes('live'))
const day = '2026-01-02'
let values: Record<string, string> = {}
let hashes: Record<'files' | 'directories', string>

beforeAll(async () => {
  const volumeId = await newVolume(platform, 'Films')
  const copy = (folder: string) => ({ path: folder, entries: [{ path: `${folder}/film.mov`, size: 2 ** 30 }] })
  await scanFolders(platform, { volumeId, indexingDate: day }, [
    { path: '', entries: ['/a', '/b'].map((path) => ({ path, isDirectory: true, size: 0 })) },
    copy('/a'),
    copy('/b'),
  ])
  const hashOf = async (kind: 'files' | 'directories') => {
    const { body } = await admin('GET', `/api/${kind}/search?size=1`).expect(200)
    return (body as { elements: Entry[] }).elements[0]?.identificationHash ?? ''
  }
  hashes = { files: await hashOf('files'), directories: await hashOf('directories') }
  const storage = String(volumeId)
  values = { storageId: storage, volumeId: storage, path: '/', by: 'owner' }
  await flushCopy(platform, volumeId, { path: '/a/film.mov', isDirectory: false, into: '', name: 'copied.mov' })
  await flushCopy(platform, volumeId, { path: '/a', isDirectory: true, into: '', name: 'copied' })
})

async function answerOf(call: Endpoint, more: Record<string, string>): Promise<unknown> {
  const taken = Object.entries(values).filter(([name]) => namesOf(call).includes(name))
  const typed = call.path.endsWith('/lookup') ? { path: '/copied' } : {}
  const query = new URLSearchParams({ ...Object.fromEntries(taken), ...typed, ...more })
  const hash = hashes[call.path.startsWith('/files') ? 'files' : 'directories']
  const path = call.path
    .replace(':hash', hash)
    .replace(':part', 'files')
    .replace(':volumeId', '1')
    .replace(':fileId', '1')
  const request = admin(call.method, `/api${path}?${query}`, call.method === 'POST' ? [] : undefined)
  const { body, status } = await request.responseType('blob')
  const bytes = body as Buffer
  if (status !== 200) throw new Error(`${status}: ${bytes.toString()}`)
  if (call.download) return call.download === 'text/csv' ? readCsv(bytes) : readSheets(bytes)
  return JSON.parse(bytes.toString())
}

/** Without the times of states. */
const untimed = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'asOf' ? undefined : value)))
const hasTime = (answer: unknown): boolean => !isDeepStrictEqual(untimed(answer), answer)

test.each(named(liveCalls))('%s answers with the live state', async (name, call) => {
  const [ofDay, now] = [await answerOf(call, {}), await answerOf(call, { live: 'true' })]
  expect(isDeepStrictEqual(untimed(now), ofDay)).toBe(name in same)
  const isTimed = !call.download && !(name in same) && !untimedLists.includes(call.path)
  expect(hasTime(now)).toBe(isTimed)
})

test('a map compares the live state with a day, and a wall shows it', async () => {
  const query = new URLSearchParams({ storageId: values['storageId'] ?? '', live: 'true', previousDate: day })
  const { body: map } = await admin('GET', `/api/v1/directories/map?${query}`).expect(200)
  const { entries } = map as FolderMap
  expect(entries[0]).toMatchObject({ delta: 2 ** 30, size: 3 * 2 ** 30 })
  expect(entries.find(({ name }) => name === 'copied.mov')).toMatchObject({ isCreated: true, delta: 2 ** 30 })
  await flushCopy(platform, Number(values['storageId']), {
    path: '/b/film.mov',
    isDirectory: false,
    into: '/b',
    name: 'c',
  })
  const { body: wall } = await admin('GET', '/api/v1/wall/folders').expect(200)
  expect((wall as WallStorage[])[0]).toMatchObject({
    asOf: expect.any(Number),
    folders: [{ name: 'b', size: 2 ** 31 }, { name: 'a' }],
  })
})

test.each(named(liveCalls))('%s answers as for the newest day if no storage is live', async (_, call) => {
  await sql`UPDATE live_volumes SET base_scan = 0`.execute(platform.db)
  expect(untimed(await answerOf(call, { live: 'true' }))).toEqual(await answerOf(call, {}))
})

test.each(named(liveCalls))('%s refuses a day with live=true', async (_, call) => {
  await expect(answerOf(call, { live: 'true', indexingDate: day })).rejects.toThrow(
    /^400: .*"field":"live","message":"must not be given with indexingDate"/,
  )
})

test('every list of entries, and the dashboard, take live=true', () => {
  expect(liveCalls.map(nameOf)).toEqual(
    expect.arrayContaining([...Object.keys(same), 'GET /v1/dashboard', 'GET /files/search', 'POST /v1/search']),
  )
})
