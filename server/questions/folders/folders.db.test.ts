import { beforeAll, expect, test } from 'vitest'
import type { FolderAtDate, FolderDetails, FolderStatistics } from '#events/folders/calls.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { type History, newHistory, type ShownState } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { known } from '#server/questions/search/oracle/chosen.ts'
import { asUser, testSession } from '#server/testing.ts'
import { folderRoutes } from './index.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, folderRoutes(platform)), await testSession(platform.db, []))
const random = newRandom(testSeed(9))

const planned = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03', '2026-03-09'].slice(0, cases(3, 5))
let history: History
let dates: string[]
beforeAll(async () => {
  history = await newHistory(platform, random, { dates: planned, disks: 2, entries: 60 })
  dates = [...history.dates.keys()]
})

const answerOf = async <T>(path: string, query: Record<string, string>): Promise<{ status: number; body: T }> =>
  ask('GET', `/api${path}?${new URLSearchParams(query)}`)

const pathOf = ({ parentPath, name }: Row) => parentPath + name || '/'
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const isoKnown = (seconds: number) => (known(seconds) === undefined ? null : iso(seconds))
const statesAt = (date: string): ShownState[] => history.dates.get(date) ?? []
const foldersOf = ({ rows }: ShownState) => [...rows.values()].filter(({ isDirectory }) => isDirectory)

/** Folders of any date, including the root of each storage; all of them in a long run. */
const someFolders = () => {
  const found = dates.flatMap((date) =>
    statesAt(date).flatMap((state) => foldersOf(state).map((row) => `${state.volumeId}:${pathOf(row)}`)),
  )
  const different = [...new Set(found)]
  const step = Math.max(1, Math.ceil(different.length / cases(10, Infinity)))
  return different
    .filter((_, i) => i % step === 0)
    .map((text) => {
      const colon = text.indexOf(':')
      return { storageId: text.slice(0, colon), path: text.slice(colon + 1) }
    })
}

type Place = { storageId: string; path: string }
/** The folder on each date that has it. */
const timesOf = ({ storageId, path }: Place) =>
  dates.flatMap((indexingDate) => {
    const state = statesAt(indexingDate).find(({ volumeId }) => volumeId === Number(storageId))
    const row = state && foldersOf(state).find((row) => pathOf(row) === path)
    return row ? [{ indexingDate, row }] : []
  })

test('a folder is shown through all snapshots that have it', async () => {
  const lengths = new Set<number>()
  for (const { storageId, path } of someFolders()) {
    const [from, to] = [random.pick(['', '2026-01-02', '2026-01-10']), random.pick(['', '2026-02-03', '2026-01-01'])]
    const days = { ...(from && { from }), ...(to && { to }) }
    const name = random.pick(['storageId', 'volumeId'])
    const { body } = await answerOf<FolderAtDate[]>('/v1/directories/details', { [name]: storageId, path, ...days })
    const times = timesOf({ storageId, path }).filter(
      ({ indexingDate }) => indexingDate >= from && indexingDate <= (to || '9'),
    )
    const context = JSON.stringify({ storageId, path, days })
    expect({ context, body }).toEqual({ context, body: times.map(asShown) })
    lengths.add(times.length)
  }
  expect(lengths.size).toBeGreaterThan(cases(2, 3))
})

const asShown = ({ indexingDate, row }: { indexingDate: string; row: Row }) => ({
  indexingDate,
  size: row.size,
  lastAccess: isoKnown(row.lastAccess),
  lastModified: isoKnown(row.lastModified),
  creationDate: row.created === 0 ? null : iso(row.created),
  group: row.group,
  owner: row.owner,
  inode: expect.any(String),
  numberOfFiles: row.files,
  numberOfFolders: row.folders,
  unreadable: row.unreadable,
  notEntered: null,
})

const oldest = (moments: number[]) => (moments.length > 0 ? iso(Math.min(...moments)) : null)

test('statistics count what a folder was like in all snapshots', async () => {
  for (const place of someFolders()) {
    const rows = timesOf(place).map(({ row }) => row)
    const different = (valueOf: (row: Row) => string | number) => new Set(rows.map(valueOf)).size
    const created = rows.map((row) => row.created).filter((seconds) => seconds > 0)
    const accesses = rows.flatMap((row) => known(row.lastAccess) ?? [])
    const changes = rows.flatMap((row) => known(row.lastModified) ?? [])
    const { body } = await answerOf<FolderStatistics>('/directories/statistics', place)
    const sizes = rows.map(({ size }) => size)
    expect({ place, body }).toEqual({
      place,
      body: {
        numberOfDifferentLastAccessDates: new Set(accesses).size,
        numberOfDifferentCreationDates: new Set(created).size,
        numberOfDifferentModifiedDates: new Set(changes).size,
        oldestLastAccessDate: oldest(accesses),
        oldestCreationDate: oldest(created),
        oldestModifiedDate: oldest(changes),
        numberOfDifferentSizes: different((row) => row.size),
        smallestSize: Math.min(...sizes),
        biggestSize: Math.max(...sizes),
        numberOfDifferentOwners: different((row) => row.owner),
        numberOfDifferentGroups: different((row) => row.group),
      },
    })
  }
})

test('the details of a folder include its largest entries', async () => {
  let missing = 0
  for (const place of someFolders()) {
    const indexingDate = random.pick(dates)
    const found = timesOf(place).find((time) => time.indexingDate === indexingDate)
    const { status, body } = await answerOf<FolderDetails>('/directories/details', {
      ...place,
      indexingDate,
      size: '3',
    })
    const context = JSON.stringify({ place, indexingDate, status })
    const state = statesAt(indexingDate).find(({ volumeId }) => volumeId === Number(place.storageId))
    const children = [...(state?.rows.values() ?? [])].filter(
      ({ parentPath }) => parentPath === `${place.path}/`.replace(/\/+$/, '/'),
    )
    const sizes = children.map(({ size }) => size).sort((a, b) => b - a)
    const { path, size, numberOfFiles, largest } = body
    expect({ context, path, size, numberOfFiles, sizes: largest?.map(({ size }) => size) }).toEqual(
      found
        ? { context, path: place.path, size: found.row.size, numberOfFiles: found.row.files, sizes: sizes.slice(0, 3) }
        : { context },
    )
    expect(status).toBe(found ? 200 : 404)
    missing += found ? 0 : 1
  }
  expect(missing).toBeGreaterThanOrEqual(cases(0, 1))
})

test('a folder of no storage, or none at all, is not there', async () => {
  const places = [
    { storageId: '999', path: '/' },
    { storageId: '1', path: '/nowhere' },
    { storageId: '1', path: '//' },
    { storageId: '1', path: "/'; DROP TABLE entries --" },
    { storageId: '1', path: '/\0{p0:String}' },
  ]
  for (const place of places) {
    expect((await answerOf('/v1/directories/details', place)).body).toEqual([])
    for (const call of ['/directories/details', '/directories/statistics'])
      expect([call, place, (await answerOf(call, place)).status]).toEqual([call, place, 404])
  }
})

test('a slash at the end of a folder means nothing, and of its details none may be wanted', async () => {
  const [state] = statesAt(dates.at(-1)!)
  const row = foldersOf(state!).find(({ parentPath }) => parentPath === '/')
  const place = { storageId: String(state!.volumeId), path: `/${row!.name}/`, size: '0' }
  const { body } = await answerOf<FolderDetails>('/directories/details', place)
  expect([body.name, body.largest]).toEqual([row!.name, []])
})

test('wrong fields are named', async () => {
  const wrong: [string, string, string][] = [
    ['/directories/details', 'path=/', 'storageId'],
    ['/directories/details', 'storageId=', 'storageId'],
    ['/directories/details', 'storageId=1&volumeId=2&path=/', 'storageId'],
    ['/directories/details', 'storageId=1&path=films', 'path'],
    ['/directories/details', 'storageId=1&size=-1', 'size'],
    ['/directories/details', 'storageId=1&indexingDate=today', 'indexingDate'],
    ['/directories/statistics', 'volumeId=one', 'volumeId'],
    ['/v1/directories/details', 'volumeId=1&from=2026-02-30', 'from'],
    ['/v1/directories/details', "volumeId=1&to='", 'to'],
    ['/v1/directories/details', 'volumeId=1&volumeId=2', 'volumeId'],
  ]
  for (const [path, query, field] of wrong) {
    const { status, body } = await ask('GET', `/api${path}?${query}`)
    const named = body.subErrors?.map((error: { field: string }) => error.field)
    expect([query, status, named]).toEqual([query, 400, [field]])
  }
})
