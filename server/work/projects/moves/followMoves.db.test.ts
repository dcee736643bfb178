import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testMoves } from './testing/testMoves.ts'

const { db, sent, reader, items, open, answer, count, films, sizes } = await testMoves()
beforeEach(() => sql`TRUNCATE snapshots, projects CASCADE`.execute(db).then(() => {}))

test('a project asks about a renamed folder, and follows it with its history', async () => {
  const { id, volumeId, mv, write, scan } = await films()
  mv('/p1', '/p1-final')
  sent.length = 0
  await scan('2026-01-02')
  expect(sent).toContainEqual({ type: 'changed', topics: ['projects'] })
  expect(await items(id)).toMatchObject([
    {
      path: '/p1',
      isGone: true,
      sizeOfFiles: 0,
      movedTo: { path: '/p1-final', fullPath: expect.stringMatching(/^\/Storage \d+\/p1-final$/) },
    },
  ])
  const asked = await open(id)
  await answer(id, 'follow', asked).expect(204)
  expect(await open(id)).toEqual([])
  await count()
  expect(await items(id)).toMatchObject([{ path: '/p1-final', isGone: false, sizeOfFiles: 30 }])
  expect(await sizes(id)).toEqual([30, 30])
  write('/p1-final/d.mov', 3)
  await scan('2026-01-03')
  expect(await sizes(id)).toEqual([30, 30, 33])
  expect(await items(id, '2026-01-01')).toMatchObject([
    { path: '/p1-final', pathOnDate: '/p1', isGone: false, sizeOfFiles: 30, movedTo: null },
  ])
  const { body } = await reader('GET', `/api/v1/projects/${id}/changes`).expect(200)
  expect(body.at(-1)).toMatchObject({
    by: expect.stringMatching(/./),
    added: [expect.stringMatching(/\/p1-final$/)],
    removed: [expect.stringMatching(/\/p1$/)],
  })
  expect(body.at(-1).by).not.toBe('system')
  expect(asked).toEqual([{ volumeId, path: '/p1', movedTo: '/p1-final' }])
})

test('a folder that was renamed and changed between two scans is found by its contents', async () => {
  const { id, mv, rm, write, scan } = await films()
  mv('/p1', '/Archive/2026/p1')
  rm('/Archive/2026/p1/a.mov')
  write('/Archive/2026/p1/new.mov', 7)
  mv('/Archive/2026/p1/raw', '/Archive/2026/p1/Raw')
  await scan('2026-01-02')
  expect(await open(id)).toEqual([])
  const other = await films('/p1', '/p1/raw')
  for (const n of [1, 2, 3]) other.write(`/p1/more${n}.mov`, n)
  await other.scan('2026-01-02')
  other.mv('/p1', '/p1 (final)')
  other.rm('/p1 (final)/a.mov')
  other.write('/p1 (final)/late.mov', 100)
  await other.scan('2026-01-03')
  expect((await open(other.id)).map(({ movedTo }) => movedTo)).toEqual(['/p1 (final)', '/p1 (final)/raw'])
})

test('contents that were merged into a folder that existed before are not followed', async () => {
  const { id, mv, rm, scan } = await films()
  mv('/p1/a.mov', '/other/a.mov')
  mv('/p1/raw', '/other/raw')
  rm('/p1')
  await scan('2026-01-02')
  expect(await items(id)).toMatchObject([{ isGone: true, movedTo: null }])
})

test('a folder that took the place of a deleted one is followed', async () => {
  const { id, mv, rm, write, scan } = await films()
  for (const n of [1, 2, 3]) write(`/p1/more${n}.mov`, n)
  await scan('2026-01-02')
  rm('/other')
  mv('/p1', '/other')
  await scan('2026-01-03')
  const asked = await open(id)
  expect(asked.map(({ movedTo }) => movedTo)).toEqual(['/other'])
  await answer(id, 'follow', asked).expect(204)
  await count()
  expect(await sizes(id)).toEqual([30, 36, 36])
})

test('a folder is found after its parents were renamed and reorganized', async () => {
  const { id, mv, scan } = await films('/p1/raw')
  mv('/p1', '/2023')
  mv('/2023', '/media/2023')
  mv('/other', '/media/others')
  await scan('2026-01-02')
  expect((await open(id)).map(({ movedTo }) => movedTo)).toEqual(['/media/2023/raw'])
})

test('names with odd characters are followed to the letter', async () => {
  const { id, mv, write, scan } = await films('/Ärger %_*? ', '/Ärger %_*? /x\'"')
  write('/Ärger %_*? /x\'"/a', 8)
  await scan('2026-01-02')
  mv('/Ärger %_*? ', '/A\u0308rger \u{1f600}')
  write('/A\u0308rger \u{1f600}/new', 1)
  await scan('2026-01-03')
  const asked = await open(id)
  expect(asked.map(({ movedTo }) => movedTo).toSorted()).toEqual([
    '/A\u0308rger \u{1f600}',
    '/A\u0308rger \u{1f600}/x\'"',
  ])
  await answer(id, 'follow', asked).expect(204)
  await count()
  expect(await sizes(id)).toEqual([0, 8, 9])
})
