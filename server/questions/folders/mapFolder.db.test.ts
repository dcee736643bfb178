import { expect, test } from 'vitest'
import type { FolderMap, MapEntry } from '#events/folders/map.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { known } from '#server/questions/search/oracle/chosen.ts'
import { asUser, testSession } from '#server/testing.ts'
import { folderRoutes } from './index.ts'
import { compareBytes, pathOf, testHistory } from './testing.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, folderRoutes(platform)), await testSession(platform.db, []))
const random = newRandom(testSeed(11))
const { history, dates, rowsAt } = await testHistory(platform, random, 90)

type Query = Record<string, string | number>
const mapOf = async (query: Query): Promise<{ status: number; body: FolderMap }> =>
  ask('GET', `/api/v1/directories/map?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`)

const bySize = (a: Row, b: Row) =>
  b.size - a.size ||
  compareBytes(a.parentPath, b.parentPath) ||
  compareBytes(a.name, b.name) ||
  Number(a.isDirectory) - Number(b.isDirectory)

type MapCase = { rows: Row[]; before: Row[] | undefined; path: string; levels: number; most: number }

/** The expected map of a folder, by plain loops over all entries of the date. */
function expectedMap({ rows, before, path, levels, most }: MapCase): MapEntry[] | undefined {
  const root = rows.find((row) => row.isDirectory && pathOf(row) === path)
  if (!root) return undefined
  const entries: MapEntry[] = [shown(root, null, before)]
  const placed = [root]
  let folders = [0]
  for (let level = 1; level <= levels; level++) {
    const next: { row: Row; folder: number }[] = []
    for (const folder of folders) {
      const inIt = rows.filter(({ parentPath }) => parentPath === `${pathOf(placed[folder]!)}/`)
      const largest = inIt
        .filter(({ size }) => size > 0)
        .sort(bySize)
        .slice(0, most)
      const size = largest.reduce((rest, row) => rest - row.size, placed[folder]!.size)
      entries[folder]!.smaller = { count: inIt.length - largest.length, size: Math.max(0, size) }
      next.push(...largest.map((row) => ({ row, folder })))
    }
    folders = []
    for (const { row, folder } of next.sort((a, b) => bySize(a.row, b.row))) {
      if (row.isDirectory && row.size >= root.size / 2_000) folders.push(entries.length)
      entries.push(shown(row, folder, before))
      placed.push(row)
    }
  }
  return entries
}

const isoKnown = (seconds: number) => (known(seconds) === undefined ? null : new Date(seconds * 1000).toISOString())

function shown(row: Row, folder: number | null, before: Row[] | undefined): MapEntry {
  const was = before?.find((old) => pathOf(old) === pathOf(row) && old.isDirectory === row.isDirectory)
  const { name, isDirectory, size, extension, owner } = row
  return {
    folder,
    name,
    isDirectory,
    size,
    extension,
    owner,
    lastAccess: isoKnown(row.lastAccess),
    lastModified: isoKnown(row.lastModified),
    delta: before === undefined || (was?.size ?? 0) < 0 ? null : size - (was?.size ?? 0),
    isCreated: before !== undefined && was === undefined,
    smaller: null,
  }
}

test('a map has the largest entries of each folder, level by level, on any date and next to another one', async () => {
  const seen = { cut: 0, deep: 0, grown: 0, created: 0, missing: 0 }
  for (let n = 0; n < cases(16, 160); n++) {
    const indexingDate = random.pick(dates)
    const state = random.pick(history.dates.get(indexingDate)!)
    const folders = dates.flatMap((date) => rowsAt(date, state.volumeId).filter(({ isDirectory }) => isDirectory))
    const path = random.chance(0.4) ? '' : pathOf(random.pick(folders))
    const [levels, most] = [1 + random.below(5), random.pick([1, 2, 5, 200])]
    const previousDate = random.pick([undefined, '2025-12-31', ...dates.filter((date) => date <= indexingDate)])
    const before = previousDate === undefined ? undefined : rowsAt(previousDate, state.volumeId)
    const expected = expectedMap({ rows: rowsAt(indexingDate, state.volumeId), before, path, levels, most })
    const query = { path: path || '/', storageId: state.volumeId, levels, most, indexingDate }
    const { status, body } = await mapOf({ ...query, ...(previousDate && { previousDate }) })
    const context = JSON.stringify({ query, previousDate, status })
    expect({ context, entries: body.entries }).toEqual({ context, entries: expected })
    expect(body.path).toBe(expected && (path || '/'))
    expect(status).toBe(expected ? 200 : 404)
    count(seen, expected)
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(cases(0, 3))
})

function count(seen: SeenCases, expected: MapEntry[] = []): void {
  const has = (what: (entry: MapEntry) => unknown) => Number(expected.some(what))
  seen.missing += Number(expected.length === 0)
  seen.deep += Number(expected.length > 10)
  seen.cut += has(({ smaller }) => smaller && smaller.count > 0 && smaller.size > 0)
  seen.grown += has(({ delta, isCreated }) => delta && !isCreated)
  seen.created += has(({ isCreated }) => isCreated)
}
type SeenCases = Record<'cut' | 'deep' | 'grown' | 'created' | 'missing', number>

test('a map ends at twenty thousand entries, the largest ones, and nothing of it is lost', async () => {
  const volumeId = await newVolume(platform, 'Large')
  const folders = Array.from({ length: 40 }, (_, n) => `/folder ${n}`)
  const files = (path: string, n: number) =>
    Array.from({ length: 600 }, (_, m) => ({ path: `${path}/${m}`, size: 1 + ((n * 600 + m) % 997) }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-02-04' }, [
    { path: '', entries: folders.map((path) => ({ path, isDirectory: true })) },
    ...folders.map((path, n) => ({ path, entries: files(path, n) })),
  ])
  const { body } = await mapOf({ volumeId, most: 1000 })
  expect(body.entries).toHaveLength(20_000)
  const [root] = body.entries
  const leaves = body.entries.filter(({ isDirectory }) => !isDirectory)
  const rest = body.entries.flatMap(({ smaller }) => smaller ?? [])
  const total = (sizes: { size: number }[]) => sizes.reduce((sum, { size }) => sum + size, 0)
  expect(total(leaves) + total(rest)).toBe(root!.size)
  expect(leaves.length + rest.reduce((sum, { count }) => sum + count, 0)).toBe(24_000)
})

test('a folder without size has a map of itself alone', async () => {
  const volumeId = await newVolume(platform, 'Empty')
  const entries = [
    { path: '/nothing', size: 0 },
    { path: '/unknown', size: -1 },
  ]
  await scanFolders(platform, { volumeId, indexingDate: '2026-02-04' }, [{ path: '', entries }])
  const { body } = await mapOf({ volumeId })
  expect(body.entries).toMatchObject([{ size: 0, smaller: { count: 2, size: 0 } }])
})

test('wrong fields are named, and missing items are not found', async () => {
  const wrong: [Query, string][] = [
    [{ path: '/' }, 'storageId'],
    [{ storageId: 1, volumeId: 2 }, 'storageId'],
    [{ storageId: 1, path: 'films' }, 'path'],
    [{ storageId: 1, levels: 6 }, 'levels'],
    [{ storageId: 1, levels: 0 }, 'levels'],
    [{ storageId: 1, most: 1001 }, 'most'],
    [{ storageId: 1, previousDate: 'yesterday' }, 'previousDate'],
    [{ storageId: 1, indexingDate: '2026-01-02', previousDate: '2026-01-03' }, 'previousDate'],
  ]
  for (const [query, field] of wrong) {
    const { status, body } = await mapOf(query)
    const named = (body as unknown as { subErrors?: { field: string }[] }).subErrors?.map(({ field }) => field)
    expect([query, status, named]).toEqual([query, 400, [field]])
  }
  for (const path of ['/nowhere', '//', "/'; DROP TABLE entries --", '/\0{p0:String}'])
    expect([path, (await mapOf({ storageId: 1, path })).status]).toEqual([path, 404])
  expect((await mapOf({ storageId: 999 })).status).toBe(404)
})
