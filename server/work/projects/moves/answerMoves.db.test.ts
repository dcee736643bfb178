import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { evolveMoves, type FolderMove, type ProjectEvent } from '#events/projects/moves.ts'
import { streamNames } from '#events/streams.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { checkMoves } from './checkMoves.ts'
import { testMoves } from './testing/testMoves.ts'

const { platform, db, sent, manager, reader, find, items, open, answer, count, films, create, sizes } =
  await testMoves()
beforeEach(() => sql`TRUNCATE snapshots, projects CASCADE`.execute(db).then(() => {}))

test('a question ends if the folder is back or deleted', async () => {
  const { id, mv, rm, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  expect(await open(id)).toHaveLength(1)
  mv('/p1-final', '/p1')
  sent.length = 0
  await scan('2026-01-03')
  expect(await open(id)).toEqual([])
  expect(sent).toContainEqual({ type: 'changed', topics: ['projects'] })
  mv('/p1', '/p1-final')
  await scan('2026-01-04')
  rm('/p1-final')
  await scan('2026-01-05')
  expect(await items(id)).toMatchObject([{ isGone: true, movedTo: null }])
})

test('a question ends if the folder is no longer tracked; an edit to the new path keeps the history', async () => {
  const { id, volumeId, mv, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  const asked = await open(id)
  const edit = (...paths: string[]) => {
    const folders = paths.map((path) => ({ volumeId, path }))
    return manager('PUT', '/api/projects', { id, name: 'Edited', description: '', allocatedSize: 5, paths: folders })
  }
  await edit('/p1', '/other').expect(200)
  expect(await open(id)).toEqual(asked)
  await edit('/p1-final', '/other').expect(200)
  expect(await open(id)).toEqual([])
  await answer(id, 'follow', asked).expect(409)
  await count()
  expect(await sizes(id)).toEqual([35, 35])
  await edit('/other').expect(200)
  expect(await sizes(id)).toEqual([5, 5])
})

test('a new path that is tracked already takes over the history', async () => {
  const { id, volumeId, mv, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  const paths = ['/p1', '/p1-final'].map((path) => ({ volumeId, path }))
  await manager('PUT', '/api/projects', { id, name: 'Both', description: '', allocatedSize: 5, paths }).expect(200)
  await answer(id, 'follow', await open(id)).expect(204)
  await count()
  expect((await items(id)).map(({ path }) => path)).toEqual(['/p1-final'])
  expect(await sizes(id)).toEqual([30, 30])
})

test('a rejection is remembered until the folder is back', async () => {
  const { id, mv, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  await answer(id, 'reject', await open(id)).expect(204)
  expect(await items(id)).toMatchObject([{ path: '/p1', isGone: true, movedTo: null }])
  await scan('2026-01-03')
  mv('/p1-final', '/p1-final 2')
  await scan('2026-01-04')
  expect(await open(id)).toEqual([])
  mv('/p1-final 2', '/p1')
  await scan('2026-01-05')
  mv('/p1', '/p1-new')
  await scan('2026-01-06')
  expect((await open(id)).map(({ movedTo }) => movedTo)).toEqual(['/p1-new'])
})

test('a project made after the move asks, too, and the list of projects counts the questions', async () => {
  const { volumeId, mv, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  const id = await create(volumeId, '/p1', '/nowhere', '/')
  await checkMoves(platform)
  expect((await open(id)).map(({ movedTo }) => movedTo)).toEqual(['/p1-final'])
  const listed = async () =>
    (await reader('GET', '/api/v1/projects').expect(200)).body.elements.map(
      ({ movedFolders }: { movedFolders: number }) => movedFolders,
    )
  expect(await listed()).toEqual([1, 1])
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volumeId).execute()
  expect(await listed()).toEqual([0, 0])
  expect(await open(id)).toEqual([])
})

test('the moves fold from the event log, and a second check changes nothing', async () => {
  const { id, mv, scan } = await films('/p1', '/p1/raw', '/other')
  const folded = async () => {
    const events = await readStream<ProjectEvent>(db, streamNames.project(id))
    return events.map(({ event }) => event).reduce(evolveMoves, [] as FolderMove[])
  }
  const stored = async () =>
    (
      await sql<FolderMove>`SELECT volume_id, path, moved_to, places, is_rejected FROM project_moves
        JOIN project_folders ON id = folder_id WHERE project_id = ${id} ORDER BY path`.execute(db)
    ).rows
  const same = async (length: number) => {
    expect(await stored()).toHaveLength(length)
    expect((await folded()).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(await stored())
  }
  mv('/p1', '/p1-a')
  mv('/other', '/other-a')
  await scan('2026-01-02')
  await same(3)
  await answer(
    id,
    'reject',
    (await open(id)).filter(({ path }) => path === '/other'),
  ).expect(204)
  mv('/other-a', '/other-b')
  mv('/p1-a', '/p1-b')
  await scan('2026-01-03')
  await same(3)
  const events = async () => (await readStream(db, streamNames.project(id))).length
  const before = await events()
  await db.updateTable('projectFolders').set({ checkedScan: null }).execute()
  await Promise.all([checkMoves(platform), checkMoves(platform)])
  expect(await events()).toBe(before)
  await answer(id, 'follow', (await open(id)).slice(0, 1)).expect(204)
  await same(2)
  mv('/other-b', '/other')
  await scan('2026-01-04')
  await same(1)
})

test('wrong, stale and repeated answers are rejected, and change nothing', async () => {
  const { id, volumeId, mv, scan } = await films()
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  const [asked] = await open(id)
  const wrong: [unknown, number][] = [
    [undefined, 400],
    [[], 400],
    [{}, 400],
    [[{ volumeId, path: '/p1' }], 400],
    [[{ ...asked, path: 'p1' }], 400],
    [[{ ...asked, volumeId: '1; DROP TABLE projects' }], 400],
    [[{ ...asked, movedTo: '' }], 400],
    [[{ ...asked, extra: 1 }], 400],
    [Array.from({ length: 1_001 }, () => asked), 400],
    [[{ ...asked, movedTo: '/etc' }], 409],
    [[{ ...asked, path: '/other' }], 409],
    [[{ ...asked, volumeId: 999_999 }], 409],
    [[asked, { ...asked, path: '/x' }], 409],
  ]
  for (const way of ['follow', 'reject'] as const)
    for (const [folders, status] of wrong)
      expect([folders, (await answer(id, way, folders)).status]).toEqual([folders, status])
  await answer(999_999, 'follow', [asked]).expect(404)
  await reader('PUT', `/api/v1/projects/${id}/moves/follow`, { folders: [asked] }).expect(403)
  await reader('PUT', `/api/v1/projects/${id}/moves/reject`, { folders: [asked] }).expect(403)
  expect(await open(id)).toEqual([asked])
  const both = await Promise.all([answer(id, 'follow', [asked]), answer(id, 'reject', [asked])])
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
  expect((await find(id)).projectShares).toHaveLength(1)
})
