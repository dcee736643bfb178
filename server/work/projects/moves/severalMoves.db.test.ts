import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { createApp } from '#server/app.ts'
import { importRoutes } from '#server/scanning/imports/index.ts'
import { commitAndWait, upload } from '#server/scanning/imports/testing.ts'
import { asUser, testSession } from '#server/testing.ts'
import { shellDisk } from './testing/shellDisk.ts'
import { testMoves } from './testing/testMoves.ts'

const { platform, db, manager, items, open, answer, commit, volume, scan, count, films, sizes } = await testMoves()
beforeEach(() => sql`TRUNCATE snapshots, projects CASCADE`.execute(db).then(() => {}))

test('a parent folder was moved: all folders of the project below it are followed at once, each counted once', async () => {
  const { id, mv, scan } = await films('/p1', '/p1/raw')
  mv('/p1', '/Archive/2026/p1')
  await scan('2026-01-02')
  const asked = await open(id)
  expect(asked.map(({ movedTo }) => movedTo).toSorted()).toEqual(['/Archive/2026/p1', '/Archive/2026/p1/raw'])
  await answer(id, 'follow', asked).expect(204)
  await count()
  expect(await sizes(id)).toEqual([30, 30])
  for (const day of ['2026-01-01', '2026-01-02'])
    expect((await items(id, day)).map(({ sizeOfFiles, isNested }) => [sizeOfFiles, isNested])).toEqual([
      [30, false],
      [20, true],
    ])
})

test('a folder that moves into or out of another folder of the project is counted once on each date', async () => {
  const into = await films('/p1', '/other')
  into.mv('/p1', '/other/p1')
  await into.scan('2026-01-02')
  expect(await sizes(into.id)).toEqual([35, 35])
  await answer(into.id, 'follow', await open(into.id)).expect(204)
  await count()
  expect(await sizes(into.id)).toEqual([35, 35])
  await sql`TRUNCATE snapshots, projects CASCADE`.execute(db)
  const out = await films('/p1', '/p1/raw')
  out.mv('/p1/raw', '/raw')
  await out.scan('2026-01-02')
  expect(await sizes(out.id)).toEqual([30, 10])
  await answer(out.id, 'follow', await open(out.id)).expect(204)
  await count()
  expect(await sizes(out.id)).toEqual([30, 30])
  const { volumeId } = out
  const draft = { id: out.id, name: 'Edited', description: '', allocatedSize: 5, paths: [{ volumeId, path: '/raw' }] }
  await manager('PUT', '/api/projects', draft).expect(200)
  await count()
  expect(await sizes(out.id)).toEqual([20, 20])
})

test('several moves before an answer end at the newest path, also if no one looked in between', async () => {
  const { id, volumeId, disk, mv, scan } = await films()
  mv('/p1', '/p1-b')
  await scan('2026-01-02')
  mv('/p1-b', '/p1-c')
  await commit(volumeId, disk, '2026-01-03')
  mv('/p1-c', '/p1-b')
  await commit(volumeId, disk, '2026-01-04')
  mv('/p1-b', '/x/p1-d')
  await scan('2026-01-05')
  const asked = await open(id)
  expect(asked).toEqual([{ volumeId, path: '/p1', movedTo: '/x/p1-d' }])
  await answer(id, 'follow', asked).expect(204)
  await count()
  expect(await sizes(id)).toEqual([30, 30, 30, 30, 30])
  mv('/x/p1-d', '/p1')
  await scan('2026-01-06')
  await answer(id, 'follow', await open(id)).expect(204)
  await count()
  expect(await sizes(id)).toEqual([30, 30, 30, 30, 30, 30])
  expect((await items(id, '2026-01-03')).map(({ pathOnDate }) => pathOnDate)).toEqual(['/p1-c'])
})

test('a folder at the old path means that nothing was lost', async () => {
  const { id, mv, write, mkdir, scan } = await films()
  mv('/p1', '/p1-old')
  mkdir('/p1')
  await scan('2026-01-02')
  expect(await open(id)).toEqual([])
  mv('/p1', '/p1-empty')
  await scan('2026-01-03')
  expect((await open(id)).map(({ movedTo }) => movedTo)).toEqual(['/p1-empty'])
  write('/p1/again.mov', 4)
  await scan('2026-01-04')
  expect(await open(id)).toEqual([])
})

test('a folder moved to another storage is gone, without a question', async () => {
  const { id, disk, rm, scan: scanFilms } = await films()
  const other = shellDisk()
  const moved = disk.root.children!.get('p1')!
  rm('/p1')
  other.disk.root.children!.set('p1', moved)
  await scanFilms('2026-01-02')
  await scan(await volume(), other.disk, '2026-01-02')
  expect(await items(id)).toMatchObject([{ isGone: true, movedTo: null }])
})

test('on imported days a folder is where the scan before them, or the first one, had it', async () => {
  const { id, volumeId, mv, scan } = await films()
  mv('/p1', '/p1-b')
  await scan('2026-01-10')
  await answer(id, 'follow', await open(id)).expect(204)
  const ask = asUser(createApp(platform, importRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
  const days = { '2025-12-01': 'p1', '2026-01-05': 'p1', '2026-01-09': 'p1' }
  for (const [at, [date, folder]] of Object.entries(days).entries()) {
    const bytes = 7 + at
    const made = await upload(
      ask,
      { storageId: volumeId, date, format: 'du', unit: 1 },
      `${bytes}\t/films/${folder}/a\n9\t/films/other\n`,
    )
    await commitAndWait(ask, made.id)
  }
  await count()
  expect(await sizes(id)).toEqual([7, 30, 8, 9, 30])
  expect((await items(id, '2026-01-09')).map(({ pathOnDate, sizeOfFiles }) => [pathOnDate, sizeOfFiles])).toEqual([
    ['/p1', 9],
  ])
})
