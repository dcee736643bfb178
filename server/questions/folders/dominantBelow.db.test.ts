import { expect, test } from 'vitest'
import { ageOn, type Dominant, type DominantBelow, type DominantField, type FolderMap } from '#events/folders/map.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { folderRoutes } from './index.ts'
import { compareBytes, pathOf, testHistory } from './testing.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, folderRoutes(platform)), await testSession(platform.db, []))
const random = newRandom(testSeed(17))
const { history, dates, rowsAt } = await testHistory(platform, random, 120)

type Query = Record<string, string | number>
const get = async (path: string, query: Query) =>
  ask('GET', `/api/v1/directories/${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`)
const mostlyOf = (query: Query): Promise<{ status: number; body: DominantBelow }> => get('map/dominant', query)
const mapOf = async (query: Query): Promise<FolderMap> => (await get('map', query)).body

type MapCase = { rows: Row[]; path: string; levels: number; by: Exclude<DominantField, 'age'> }

/** The expected dominant value of each folder of a map, by plain loops over all entries of the date. */
function expectedMostly({ rows, path, levels, by }: MapCase): Dominant[] | undefined {
  const folders = rows.filter(({ isDirectory }) => isDirectory)
  const root = folders.find((row) => pathOf(row) === path)
  if (!root) return undefined
  const drawn = [root]
  let opened = [root]
  for (let level = 1; level <= levels; level++) {
    const inThem = opened.flatMap((above) => folders.filter(({ parentPath }) => parentPath === `${pathOf(above)}/`))
    drawn.push(...inThem)
    opened = inThem.filter(({ size }) => size >= root.size / 2_000)
  }
  return drawn.flatMap((folder) => {
    const largest = largestPart(rows, pathOf(folder), by)
    return largest ? [{ path: pathOf(folder) || '/', ...largest }] : []
  })
}

function largestPart(rows: Row[], folder: string, by: MapCase['by']) {
  const parts = new Map<string, number>()
  for (const row of rows)
    if (!row.isDirectory && row.size > 0 && row.parentPath.startsWith(`${folder}/`))
      parts.set(row[by], (parts.get(row[by]) ?? 0) + row.size)
  const [largest] = [...parts].sort(([a, size], [b, other]) => other - size || compareBytes(a, b))
  return largest && { value: largest[0], size: largest[1] }
}

const inOrder = (folders: Dominant[]) => folders.toSorted((a, b) => compareBytes(a.path, b.path))

test('each folder of a map is labeled by the type of most bytes below it, on any date', async () => {
  const seen = { extension: 0, owner: 0, deep: 0, older: 0, shared: 0, missing: 0 }
  for (let n = 0; n < cases(12, 120); n++) {
    const indexingDate = random.pick(dates)
    const { volumeId } = random.pick(history.dates.get(indexingDate)!)
    const paths = dates.flatMap((date) => rowsAt(date, volumeId).filter(({ isDirectory }) => isDirectory)).map(pathOf)
    const path = random.chance(0.4) ? '' : random.pick(paths)
    const [levels, by] = [1 + random.below(5), random.pick(['extension', 'owner'] as const)]
    const expected = expectedMostly({ rows: rowsAt(indexingDate, volumeId), path, levels, by })
    const query = { path: path || '/', storageId: volumeId, by, indexingDate }
    const { status, body } = await mostlyOf({ ...query, levels })
    const context = JSON.stringify({ ...query, levels })
    expect({ context, status, body: status === 200 ? { ...body, folders: inOrder(body.folders) } : null }).toEqual({
      context,
      status: expected ? 200 : 404,
      body: expected ? { ...query, folders: inOrder(expected) } : null,
    })
    seen[by] += 1
    seen.older += Number(indexingDate !== dates.at(-1))
    seen.missing += Number(!expected)
    seen.deep += Number((expected?.length ?? 0) > 8)
    seen.shared += Number(expected?.some(({ path, size }) => rowOf(indexingDate, volumeId, path)!.size > size) ?? false)
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(cases(0, 2))
})

const rowOf = (date: string, volumeId: number, path: string) =>
  rowsAt(date, volumeId).find((row) => row.isDirectory && (pathOf(row) || '/') === path)

test('every folder that the map draws is labeled, unless nothing below it has a record and a size', async () => {
  let drawn = 0
  for (const date of dates)
    for (const { volumeId } of history.dates.get(date)!) {
      const { entries } = await mapOf({ volumeId, indexingDate: date })
      const { body } = await mostlyOf({ volumeId, indexingDate: date, by: 'extension' })
      const shown = new Set(body.folders.map(({ path }) => path))
      const paths: string[] = []
      for (const { folder, name } of entries) paths.push(folder === null ? '' : `${paths[folder]}/${name}`)
      const folders = entries.flatMap(({ isDirectory }, place) => (isDirectory ? [paths[place] || '/'] : []))
      expect(folders.filter((path) => !shown.has(path))).toEqual([])
      drawn += folders.length
    }
  expect(drawn).toBeGreaterThan(cases(25, 50))
})

let scanned = 0
/** A storage with these folders, scanned on a day. */
async function storageOf(folders: Folder[]): Promise<number> {
  const volumeId = await newVolume(platform, `Storage ${(scanned += 1)}`)
  await scanFolders(platform, { volumeId, indexingDate: '2026-02-04' }, folders)
  return volumeId
}
const foldersOf = async (query: Query) => inOrder((await mostlyOf(query)).body.folders)
const folder = (path: string) => ({ path, isDirectory: true })

test('hidden files and folders count as those that the map draws, and equally large parts go by the alphabet', async () => {
  const volumeId = await storageOf([
    { path: '', entries: [folder('/.cache'), folder('/even')] },
    {
      path: '/.cache',
      entries: [
        { path: '/.cache/.small.EXR', size: 30 },
        { path: '/.cache/b.exr', size: 30 },
        { path: '/.cache/c.mov', size: 50 },
      ],
    },
    {
      path: '/even',
      entries: [
        { path: '/even/b.wav', size: 10, owner: 'bo' },
        { path: '/even/a.tif', size: 10, owner: 'zoe' },
        { path: '/even/unknown.mov', size: -1 },
        { path: '/even/nothing.mov', size: 0 },
      ],
    },
  ])
  expect(await foldersOf({ volumeId, by: 'extension' })).toEqual([
    { path: '/', value: 'exr', size: 60 },
    { path: '/.cache', value: 'exr', size: 60 },
    { path: '/even', value: 'tif', size: 10 },
  ])
  expect(await foldersOf({ volumeId, by: 'owner', path: '/even/' })).toEqual([{ path: '/even', value: 'bo', size: 10 }])
})

test('by age a folder has the bytes of each age below it, which add up to those of its folders', async () => {
  const on = '2026-02-04'
  const daysAgo = (days: number) => Date.parse(on) / 1000 + 86_400 - days * 86_400
  const file = (path: string, size: number, days: number) => ({ path, size, accessed: daysAgo(days) })
  const volumeId = await storageOf([
    { path: '', entries: [folder('/film'), file('/read.txt', 1, 0)] },
    { path: '/film', entries: [folder('/film/raw'), file('/film/notes.txt', 2, 1), file('/film/cut.mov', 300, 30)] },
    { path: '/film/raw', entries: [file('/film/raw/a.r3d', 4_000, 366), file('/film/raw/b.r3d', 500, 90.5)] },
  ])
  const raw = { path: '/film/raw', value: '4', size: 4_000, ages: [0, 0, 500, 0, 4_000] }
  const film = { path: '/film', value: '4', size: 4_000, ages: [302, 0, 500, 0, 4_000] }
  const all = { path: '/', value: '4', size: 4_000, ages: [303, 0, 500, 0, 4_000] }
  expect(await foldersOf({ volumeId, by: 'age', indexingDate: on })).toEqual([all, film, raw])
  expect(await foldersOf({ volumeId, by: 'age', indexingDate: on, path: '/film', levels: 1 })).toEqual([film, raw])
  const { entries } = await mapOf({ volumeId, path: '/film' })
  const cut = entries.find(({ name }) => name === 'cut.mov')
  expect(ageOn(on, { lastModified: null, lastAccess: null, ...cut })).toBe(0)
})

test('a folder that is too small to open is labeled as a whole, and files without a record have no type', async () => {
  const volumeId = await storageOf([
    { path: '', entries: [folder('/large'), folder('/small'), folder('/archive'), folder('/nothing')] },
    { path: '/large', entries: [{ path: '/large/a.mov', size: 2_000_000 }] },
    { path: '/small', entries: [folder('/small/in'), { path: '/small/b.txt', size: 300 }] },
    { path: '/small/in', entries: [folder('/small/in/it')] },
    { path: '/small/in/it', entries: [{ path: '/small/in/it/c.tif', size: 500 }] },
    { path: '/archive', entries: [], unrecorded: { files: 9, size: 5_000_000, allocatedSize: 5_000_000 } },
    { path: '/nothing', entries: [] },
  ])
  expect(await foldersOf({ volumeId, by: 'extension' })).toEqual([
    { path: '/', value: 'mov', size: 2_000_000 },
    { path: '/large', value: 'mov', size: 2_000_000 },
    { path: '/small', value: 'tif', size: 500 },
  ])
  expect(await foldersOf({ volumeId, by: 'extension', path: '/small', levels: 1 })).toEqual([
    { path: '/small', value: 'tif', size: 500 },
    { path: '/small/in', value: 'tif', size: 500 },
  ])
  for (const path of ['/archive', '/nothing']) expect(await foldersOf({ volumeId, by: 'owner', path })).toEqual([])
})

test('names that look like SQL, patterns or paths are names', async () => {
  const odd = ["'); DROP TABLE entries; --", '%_?*', '{p0:String}', 'tab\tand\nline', 'back\\slash', '...']
  const volumeId = await storageOf([
    { path: '', entries: odd.map((name) => folder(`/${name}`)) },
    ...odd.map((name, n) => ({
      path: `/${name}`,
      entries: [{ path: `/${name}/a.${name}`, size: n + 1, owner: name }],
    })),
  ])
  const expected = odd.map((name, n) => ({ path: `/${name}`, value: name, size: n + 1 }))
  const all = [...expected, { path: '/', value: '...', size: 6 }]
  expect(await foldersOf({ volumeId, by: 'owner' })).toEqual(inOrder(all))
  for (const shown of expected) expect(await foldersOf({ volumeId, by: 'owner', path: shown.path })).toEqual([shown])
})

test('wrong fields are named, and missing items are not found', async () => {
  const by = 'extension'
  const wrong: [Query, string][] = [
    [{ path: '/', by }, 'storageId'],
    [{ storageId: 1 }, 'by'],
    [{ storageId: 1, by: 'size' }, 'by'],
    [{ storageId: 1, by: "owner, sleep(3) AS 'x'" }, 'by'],
    [{ storageId: 1, by, path: 'films' }, 'path'],
    [{ storageId: 1, by, levels: 6 }, 'levels'],
    [{ storageId: 1, by, levels: '1 OR 1=1' }, 'levels'],
    [{ storageId: 1, by, indexingDate: 'yesterday' }, 'indexingDate'],
  ]
  for (const [query, field] of wrong) {
    const { status, body } = await mostlyOf(query)
    const named = (body as unknown as { subErrors?: { field: string }[] }).subErrors?.map(({ field }) => field)
    expect([query, status, named]).toEqual([query, 400, [field]])
  }
  for (const path of ['/nowhere', '//', "/'; DROP TABLE entries --", '/\0{p0:String}'])
    expect([path, (await mostlyOf({ storageId: 1, by, path })).status]).toEqual([path, 404])
  expect((await mostlyOf({ storageId: 999, by })).status).toBe(404)
  expect((await mostlyOf({ storageId: 1, by, indexingDate: '2025-12-31' })).status).toBe(404)
})
