import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type FileTotals,
  type Project,
  type ProjectAge,
  projectAges,
  type ProjectAtDate,
  type ProjectStatistics,
} from '#events/projects/calls.ts'
import { ageBuckets, firstDaysOfAges } from '#events/storages.ts'
import { createApp } from '#server/app.ts'
import { dayOf } from '#server/platform/days.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { projectRoutes, startFigures } from '#server/work/projects/index.ts'
import { withFiguresLockIfFree } from '#server/content/snapshots/index.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { lastUse, type Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { fillAll } from './startFigures.ts'

const sent: unknown[] = []
const stores = await testPlatform()
const platform = { ...stores, live: (event: unknown) => void sent.push(event) }
const { db } = platform
const ask = asUser(createApp(platform, projectRoutes(platform)), await testSession(db, ['ROLE_PROJECT_MANAGER']))
const random = newRandom(testSeed(25))
const dates = ['2026-01-01', '2026-01-08', '2026-02-20', '2026-03-01'].slice(0, cases(2, 4))

type Folder = { volumeId: number; path: string }
type ShownFigures = { volumeId: number; rows: Row[] }
const days = new Map<string, ShownFigures[]>()
const pathOf = ({ parentPath, name }: Row) => (parentPath === '' ? '/' : parentPath + name)

beforeAll(async () => {
  await newHistory(platform, random, { dates, disks: 2, entries: 60 })
  await scanCopies('2026-03-15')
  await db.insertInto('configurations').values({ name: 'scan.tagDuplicate.minimumSize', value: '20' }).execute()
  for (const date of [...dates, '2026-03-15']) {
    const { volumes } = (await snapshotAt(db, 'everything', date))!
    const shown = volumes.map(async ({ volumeId }) => ({
      volumeId,
      rows: [...(await readRows(platform, volumeId, date)).values()],
    }))
    days.set(date, await Promise.all(shown))
  }
})

/** A storage with some files of another one, each in a separate folder, and again in a subfolder of that. */
async function scanCopies(indexingDate: string): Promise<void> {
  const { volumes } = (await snapshotAt(db, 'everything'))!
  const all = [...(await readRows(platform, volumes[0]!.volumeId, indexingDate)).values()]
  const copied = all.filter(({ isDirectory, size }) => !isDirectory && size > 0).slice(0, 20)
  const folders = copied.map((_, i) => `/${i % 2}copies${i}`)
  const folder = (path: string) => ({ path, isDirectory: true })
  await scanFolders(platform, { volumeId: await newVolume(platform, 'Copies'), indexingDate }, [
    { path: '', entries: folders.map(folder) },
    ...copied.flatMap(({ name, size, modified }, i) => {
      const copyIn = (path: string) => ({ path: `${path}/${name}`, size, modified, inode: 1_000 + i })
      const again = `${folders[i]}/.again`
      return [
        { path: folders[i]!, entries: [copyIn(folders[i]!), folder(again)] },
        { path: again, entries: [{ ...copyIn(again), inode: 2_000 + i }] },
      ]
    }),
  ])
}

const running: Running[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
})

const project = async (id: number, day: string): Promise<Project> =>
  (await ask('GET', `/api/v1/projects/${id}?indexingDate=${day}`).expect(200)).body
const history = async (id: number, query = ''): Promise<ProjectAtDate[]> =>
  (await ask('GET', `/api/v1/projects/${id}/history?${query}`).expect(200)).body
let made = 0
const create = async (paths: Folder[]): Promise<number> =>
  (await ask('POST', '/api/projects', { name: `Project ${made++}`, allocatedSize: 1e6, paths }).expect(200)).body.id

/** Folders of any date and volume, some nested, some that never existed. */
function someFolders(): Folder[] {
  const all = [...days.values()]
    .flat()
    .flatMap(({ volumeId, rows }) =>
      rows.filter(({ isDirectory }) => isDirectory).map((row) => ({ volumeId, path: pathOf(row) })),
    )
  const some = Array.from({ length: 1 + random.below(8) }, () => random.pick(all))
  const within = some.flatMap(({ volumeId, path }) =>
    all.filter((other) => other.volumeId === volumeId && other.path.startsWith(`${path}/`)).slice(0, 2),
  )
  const beside = some.map(({ volumeId, path }) => ({ volumeId, path: `${path} beside` }))
  const picked = [...some, ...within, ...beside.slice(0, 1)]
  return [...new Map(picked.map((folder) => [`${folder.volumeId}:${folder.path}`, folder])).values()]
}

/** The files of a date in any of some folders, each once. */
function filesIn(day: string, folders: Folder[]): Row[] {
  return (days.get(day) ?? []).flatMap(({ volumeId, rows }) => {
    const within = folders
      .filter((folder) => folder.volumeId === volumeId)
      .map(({ path }) => (path === '/' ? '/' : `${path}/`))
    return rows.filter((row) => !row.isDirectory && within.some((start) => row.parentPath.startsWith(start)))
  })
}
/** Bytes of files; hard links of one file in a storage share theirs. */
function sizeOf(files: Row[]): number {
  const volumeOf = new Map(
    [...days.values()].flat().flatMap(({ volumeId, rows }) => rows.map((row) => [row, volumeId])),
  )
  const fileOf = (row: Row) => (row.linkCount > 1 && row.inode !== 0 ? `${volumeOf.get(row)} ${row.inode}` : row)
  return [...new Map(files.map((row) => [fileOf(row), Math.max(row.size, 0)])).values()].reduce(
    (sum, size) => sum + size,
    0,
  )
}
const counted = (files: Row[]): FileTotals => ({ sizeOfFiles: sizeOf(files), numberOfFiles: files.length })

/** All entries of a date that are duplicates and large enough. */
function copiesOn(day: string): Set<Row> {
  const all = (days.get(day) ?? []).flatMap(({ rows }) => rows.filter(({ isDirectory }) => !isDirectory))
  const groups = Map.groupBy(all, (row) => identity(row))
  groups.delete(undefined)
  return new Set([...groups.values()].filter((group) => group.length > 1 && group[0]!.size >= 20).flat())
}

/** Expected bytes of all copies but one of each set, in each folder that is not nested. */
function reclaimable(day: string, folders: Folder[]): FileTotals {
  const copies = copiesOn(day)
  const isWithin = ({ path }: Folder) => folders.some((other) => path !== other.path && isBelow(path, other.path))
  const beyondOne = folders
    .filter((folder) => !isWithin(folder))
    .flatMap((folder) => {
      const own = filesIn(day, [folder]).filter((file) => copies.has(file))
      const sets = [...Map.groupBy(own, (row) => identity(row)).values()]
      return sets.flatMap((set) => set.toSorted((a, b) => b.countedSize - a.countedSize).slice(1))
    })
    .filter(({ countedSize }) => countedSize > 0)
  const sizeOfFiles = beyondOne.reduce((sum, { countedSize }) => sum + Math.max(countedSize, 0), 0)
  return { sizeOfFiles, numberOfFiles: beyondOne.length }
}
const isBelow = (path: string, above: string) => path.startsWith(above === '/' ? '/' : `${above}/`)

function agesOf(day: string, files: Row[], moment: (row: Row) => number) {
  const first = firstDaysOfAges(day)
  const ageOf = (row: Row): ProjectAge | undefined => {
    if (moment(row) === 0) return undefined
    const place = projectAges.slice(0, -1).findIndex((_, i) => dayOf(new Date(moment(row) * 1000)) >= first[i]!)
    return projectAges.at(place)
  }
  const groups = Map.groupBy(files, ageOf)
  return Object.fromEntries(projectAges.flatMap((age) => (groups.has(age) ? [[age, counted(groups.get(age)!)]] : [])))
}

const statistics = (day: string, folders: Folder[]): ProjectStatistics => {
  const files = filesIn(day, folders)
  const copies = copiesOn(day)
  return {
    DUPLICATE: {
      duplicate: counted(files.filter((file) => copies.has(file))),
      reclaimable: reclaimable(day, folders),
    },
    MODIFIED_DATE: agesOf(day, files, ({ modified }) => modified),
    ACCESS_DATE: agesOf(day, files, lastUse),
  }
}

test('the ages of projects are the first ones of storages', () => {
  expect(projectAges.slice(0, -1)).toEqual(ageBuckets.slice(0, projectAges.length - 1).map(({ key }) => key))
})

test('figures are plain sums over the files of all folders, on each date and storage, each file once', async () => {
  const all: [number, Folder[]][] = []
  for (let n = 0; n < cases(3, 60); n++) {
    const folders = someFolders()
    all.push([await create(folders), folders])
  }
  await fillAll(platform)
  const seen = { gone: 0, nested: 0, duplicates: 0, reclaimable: 0 }
  for (const [id, folders] of all) {
    for (const day of days.keys()) {
      const found = await project(id, day)
      const files = filesIn(day, folders)
      expect(found).toMatchObject({
        indexingDate: day,
        loadingReport: false,
        sizeOfFiles: sizeOf(files),
        numberOfFiles: files.length,
      })
      expect(found.projectShares.map(({ volumeId }) => volumeId).sort()).toEqual(
        [...new Set(folders.map(({ volumeId }) => volumeId))].sort(),
      )
      for (const share of found.projectShares) {
        const own = folders.filter(({ volumeId }) => volumeId === share.volumeId)
        expect(share).toMatchObject({ sizeOfFiles: sizeOf(filesIn(day, own)), numberOfFiles: filesIn(day, own).length })
        expect(share.statistics).toEqual(statistics(day, own))
        expect(share.projectItems).toHaveLength(own.length)
        for (const item of share.projectItems) {
          const rows = days.get(day)!.find(({ volumeId }) => volumeId === item.volumeId)?.rows ?? []
          const row = rows.find((one) => one.isDirectory && pathOf(one) === item.path)
          const folder = { volumeId: item.volumeId, path: item.path }
          expect([item.path, item.isGone]).toEqual([item.path, row === undefined])
          const dateOf = (seconds = 0) => (seconds > 0 ? new Date(seconds * 1000).toISOString() : null)
          expect(item).toMatchObject({
            ...counted(row ? filesIn(day, [folder]) : []),
            lastModifiedDate: dateOf(row?.lastModified),
            lastAccessDate: dateOf(row?.lastAccess),
            isNested: own.some(({ path }) => path !== item.path && isBelow(item.path, path)),
          })
          expect(item.statistics).toEqual(statistics(day, row ? [folder] : []))
          seen.gone += Number(item.isGone)
          seen.nested += Number(item.isNested)
          seen.duplicates += item.statistics.DUPLICATE!.duplicate.numberOfFiles
          seen.reclaimable += item.statistics.DUPLICATE!.reclaimable.sizeOfFiles
        }
      }
    }
    const sizes = [...days.keys()].toReversed().map((day) => [day, sizeOf(filesIn(day, folders))])
    expect((await history(id)).map(({ indexingDate, sizeOfFiles }) => [indexingDate, sizeOfFiles])).toEqual(sizes)
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
  const { body } = await ask('GET', `/api/v1/projects?size=1000&indexingDate=${dates[1]}`).expect(200)
  expect(body.elements.map(({ id, sizeOfFiles }: Project) => [id, sizeOfFiles]).sort()).toEqual(
    all.map(([id, folders]) => [id, sizeOf(filesIn(dates[1]!, folders))]).sort(),
  )
})

test('the rules of duplicates hold for projects, too', async () => {
  const [{ volumeId }] = days.get(dates[0]!)! as [ShownFigures]
  const id = await create([{ volumeId, path: '/' }])
  await fillAll(platform)
  const copies = async () =>
    (await project(id, dates[0]!)).projectShares[0]!.statistics.DUPLICATE!.duplicate.numberOfFiles
  const before = await copies()
  await db.updateTable('configurations').set({ value: '1000000000000000' }).execute()
  await fillAll(platform)
  expect(await copies()).toBe(0)
  await db.updateTable('configurations').set({ value: '20' }).execute()
  await fillAll(platform)
  expect(await copies()).toBe(before)
})

test('a new snapshot, and a new folder, are counted automatically, and browsers are notified', async () => {
  const volumeId = await newVolume(platform, 'Live')
  const scan = (indexingDate: string, size: number) =>
    scanFolders(platform, { volumeId, indexingDate }, [
      { path: '', entries: [{ path: '/a', isDirectory: true }] },
      { path: '/a', entries: [{ path: '/a/b', size }] },
    ])
  running.push(startFigures(platform), startFigures(platform))
  await scan('2026-05-01', 5)
  const id = await create([{ volumeId, path: '/a' }])
  const changed = (topic: string) => stores.live({ type: 'changed', topics: [topic as 'projects'] })
  changed('projects')
  const sizes = async () => (await history(id, 'from=2026-05-01')).map(({ sizeOfFiles }) => sizeOfFiles)
  await vi.waitFor(async () => expect(await sizes()).toEqual([5]), { timeout: 60_000 })
  sent.length = 0
  await scan('2026-05-02', 7)
  expect(await project(id, '2026-05-02')).toMatchObject({ loadingReport: true, sizeOfFiles: 0 })
  changed('snapshots')
  await vi.waitFor(async () => expect(await sizes()).toEqual([7, 5]), { timeout: 60_000 })
  await vi.waitFor(() => expect(sent).toContainEqual({ type: 'changed', topics: ['projects'] }), 60_000)
  expect(await project(id, '2026-05-02')).toMatchObject({ loadingReport: false, sizeOfFiles: 7 })
})

test('untracked folders are deleted, and one replica counts at a time', async () => {
  const { volumeId } = days.get(dates[0]!)![0]!
  const id = await create([{ volumeId, path: '/only here' }])
  const known = async () =>
    (await db.selectFrom('folderFigures').select('pathHash').where('isThere', '=', false).execute()).length
  const before = await known()
  await withFiguresLockIfFree(db, async () => {
    let ran = false
    await withFiguresLockIfFree(db, async () => void (ran = true))
    expect(ran).toBe(false)
  })
  await fillAll(platform)
  expect(await known()).toBeGreaterThan(before)
  await ask('DELETE', `/api/projects/${id}`).expect(204)
  await fillAll(platform)
  expect(await known()).toBe(before)
})
