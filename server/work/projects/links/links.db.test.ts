import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { fillAll } from '../figures/startFigures.ts'
import { projectRoutes } from '../index.ts'
import { countMonth } from '../statements/countMonth.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, projectRoutes(platform)), await testSession(db, ['ROLE_PROJECT_MANAGER']))
const day = '2026-03-01'

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, projects, folder_figures, linked_dates RESTART IDENTITY CASCADE`.execute(
    db,
  )
})

const folder = (path: string): File => ({ path, isDirectory: true, size: 0 })
/** A hard link of a file of 20,000 bytes; the file is known by its inode. */
const link = (path: string, inode = 77, linkCount = 2): File => ({
  path,
  size: 20_000,
  allocatedSize: 20_480,
  linkCount,
  inode,
})
const file = (path: string, size: number, allocatedSize: number): File => ({ path, size, allocatedSize, inode: size })

type Folders = Record<string, File[]>

/** A scanned storage of some folders. Storages with the same file system are on one disk. */
async function storage(name: string, folders: Folders, fileSystem: string | null = null, places?: object[]) {
  const volumeId = await newVolume(platform, name, 'onDisk')
  const scanId = await scanFolders(platform, { volumeId, indexingDate: day }, [
    { path: '', entries: Object.keys(folders).map(folder) },
    ...Object.entries(folders).map(([path, entries]) => ({ path, entries })),
  ])
  const announced = places ? JSON.stringify({ places }) : null
  await db
    .updateTable('scans')
    .set({ fileSystem, announced: sql`${announced}::jsonb` })
    .where('id', '=', scanId)
    .execute()
  return volumeId
}

let projects = 0
async function create(...paths: [volumeId: number, path: string][]): Promise<number> {
  const folders = paths.map(([volumeId, path]) => ({ volumeId, path }))
  const draft = { name: `Project ${++projects}`, allocatedSize: 1e6, paths: folders }
  const { body } = await ask('POST', '/api/projects', draft).expect(200)
  return body.id
}

async function counted(id: number): Promise<Project> {
  await fillAll(platform)
  return (await ask('GET', `/api/v1/projects/${id}`).expect(200)).body
}
const sizes = ({ projectShares }: Project) =>
  projectShares.flatMap(({ projectItems }) => projectItems).map(({ path, sizeOfFiles }) => [path, sizeOfFiles])

const backups = (): Folders => ({
  '/monday': [link('/monday/film', 77, 3), file('/monday/log', 100, 4_096)],
  '/tuesday': [link('/tuesday/film', 77, 3), file('/tuesday/log', 200, 4_096)],
  '/wednesday': [link('/wednesday/film', 77, 3)],
})

test('a file with hard links in several folders of a project counts with the first one, as in du', async () => {
  const disk = await storage('Backups', backups())
  const id = await create([disk, '/monday'], [disk, '/tuesday'], [disk, '/wednesday'])
  const project = await counted(id)
  expect(sizes(project)).toEqual([
    ['/monday', 24_576],
    ['/tuesday', 4_096],
    ['/wednesday', 0],
  ])
  expect(project).toMatchObject({ sizeOfFiles: 28_672, apparentSize: 20_300, numberOfFiles: 5 })
  expect(project.projectShares[0]).toMatchObject({ sizeOfFiles: 28_672, apparentSize: 20_300 })
  const ages = Object.values(project.projectShares[0]!.statistics.MODIFIED_DATE)
  expect(ages.reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0)).toBe(28_672)
})

test('lists, histories and statements count the same bytes', async () => {
  const disk = await storage('Backups', backups())
  const id = await create([disk, '/monday'], [disk, '/tuesday'])
  await counted(id)
  const listed = (await ask('GET', '/api/v1/projects').expect(200)).body.elements
  expect(listed).toMatchObject([{ id, sizeOfFiles: 28_672, apparentSize: 20_300 }])
  expect((await ask('GET', `/api/v1/projects/${id}/history`).expect(200)).body).toMatchObject([
    { indexingDate: day, sizeOfFiles: 28_672, projectShares: [{ sizeOfFiles: 28_672 }] },
  ])
  const statement = await countMonth(db, { id, madeOn: day }, '2026-03', '2026-03-31')
  expect(statement).toMatchObject({ averageBytes: 28_672, isComplete: true })
})

test('each project counts for itself: another one with one of the folders has all of its bytes', async () => {
  const disk = await storage('Backups', backups())
  const both = await create([disk, '/tuesday'], [disk, '/monday'])
  const alone = await create([disk, '/monday'])
  expect(sizes(await counted(both))).toEqual([
    ['/tuesday', 24_576],
    ['/monday', 4_096],
  ])
  expect(await counted(alone)).toMatchObject({ sizeOfFiles: 24_576 })
})

test('the bytes return when the other folder leaves the project', async () => {
  const disk = await storage('Backups', backups())
  const id = await create([disk, '/monday'], [disk, '/tuesday'])
  expect((await counted(id)).sizeOfFiles).toBe(28_672)
  const paths = [{ volumeId: disk, path: '/tuesday' }]
  await ask('PUT', '/api/projects', { id, name: 'Left', allocatedSize: 1e6, paths }).expect(200)
  expect((await counted(id)).sizeOfFiles).toBe(24_576)
})

test('links are found between storages of one file system, and not between others', async () => {
  const one = await storage('One', { '/a': [link('/a/film')] }, 'host:7')
  const two = await storage('Two', { '/b': [{ ...link('/b/film'), device: 8 }] }, 'host:7')
  const elsewhere = await storage('Elsewhere', { '/c': [link('/c/film')] }, 'host:9')
  expect((await counted(await create([one, '/a'], [two, '/b']))).sizeOfFiles).toBe(20_480)
  expect((await counted(await create([one, '/a'], [elsewhere, '/c']))).sizeOfFiles).toBe(40_960)
})

test('a folder that two storages show counts once', async () => {
  const place = (path: string) => [{ path: '', fileSystem: '/dev/sda1', root: path }]
  const outer = await storage('Outer', { '/films': [file('/films/a', 9_000, 12_288)] }, 'host:7', place('/data'))
  const inner = await storage('Inner', {}, 'host:7', place('/data/films'))
  await scanFolders(platform, { volumeId: inner, indexingDate: day }, [
    { path: '', entries: [file('/a', 9_000, 12_288)] },
  ])
  await db
    .updateTable('scans')
    .set({ fileSystem: 'host:7', announced: sql`${JSON.stringify({ places: place('/data/films') })}::jsonb` })
    .where('volumeId', '=', inner)
    .execute()
  expect((await counted(await create([outer, '/films'], [inner, '/']))).sizeOfFiles).toBe(12_288)
})

test('the size basis of a storage decides which bytes a project counts, also after a change', async () => {
  const disk = await storage('Sparse', { '/vm': [file('/vm/disk', 1e9, 4_096)] })
  const id = await create([disk, '/vm'])
  expect(await counted(id)).toMatchObject({ sizeOfFiles: 4_096, apparentSize: 1e9 })
  await db.updateTable('volumes').set({ sizeBasis: 'apparent' }).where('id', '=', disk).execute()
  const project = await counted(id)
  expect(project.sizeOfFiles).toBe(1e9)
  expect(project).not.toHaveProperty('apparentSize')
})

test('a project whose folders are counted is still loading until its hard links are known', async () => {
  const disk = await storage('Backups', backups())
  for (const path of ['/monday', '/tuesday', '/wednesday']) await counted(await create([disk, path]))
  const id = await create([disk, '/monday'], [disk, '/tuesday'])
  const shown = async () => {
    const { body: one } = await ask('GET', `/api/v1/projects/${id}`).expect(200)
    const { body: all } = await ask('GET', '/api/v1/projects?size=100').expect(200)
    const listed = all.elements.find((project: { id: number }) => project.id === id)
    const { body: history } = await ask('GET', `/api/v1/projects/${id}/history`).expect(200)
    const { isComplete } = await countMonth(db, { id, madeOn: day }, day.slice(0, 7), day)
    return [one.loadingReport, listed.loadingReport, history.length, isComplete]
  }
  expect(await shown()).toEqual([true, true, 0, false])
  expect((await counted(id)).sizeOfFiles).toBe(28_672)
  expect(await shown()).toEqual([false, false, 1, true])
  const put = (...paths: string[]) =>
    ask('PUT', '/api/projects', {
      id,
      name: `Project ${projects}`,
      allocatedSize: 1e6,
      paths: paths.map((path) => ({ volumeId: disk, path })),
    }).expect(200)
  await put('/tuesday')
  expect(await shown()).toEqual([false, false, 1, true])
  expect((await ask('GET', `/api/v1/projects/${id}`)).body.sizeOfFiles).toBe(24_576)
  await put('/tuesday', '/wednesday')
  expect(await shown()).toEqual([true, true, 0, false])
  expect((await counted(id)).sizeOfFiles).toBe(24_576)
})

test('a project is loading while the links of a newer scan are unknown, and other projects are not', async () => {
  const [disk, other] = [await storage('Backups', backups()), await storage('Others', backups())]
  const [id, apart] = [
    await create([disk, '/monday'], [disk, '/tuesday']),
    await create([other, '/monday'], [other, '/tuesday']),
  ]
  await counted(id)
  const loading = async () =>
    Promise.all([id, apart].map(async (one) => (await ask('GET', `/api/v1/projects/${one}`)).body.loadingReport))
  expect(await loading()).toEqual([false, false])
  await db
    .updateTable('linkedDates')
    .set({ projects: sql`array_remove(projects, projects[1])` })
    .execute()
  expect((await loading()).toSorted()).toEqual([false, true])
  await db.deleteFrom('linkedDates').execute()
  expect(await loading()).toEqual([true, true])
  await fillAll(platform)
  expect(await loading()).toEqual([false, false])
})
