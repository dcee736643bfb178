import { expect, test } from 'vitest'
import { today } from '#server/platform/days.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testProjects } from './testing.ts'

const { platform, db, sent, manager, admin, reader, films, sound, draft, create, find, list, count } =
  await testProjects()

test('a project is made, shown, changed and deleted; browsers hear of it and the log knows it', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/a/', volumeName: 'Films' }] })
  expect(sent).toEqual([{ type: 'changed', topics: ['projects'] }])
  expect(await find(id)).toMatchObject({
    id,
    name: 'Rushes',
    description: 'All of May',
    allocatedSize: 1000,
    sizeOfFiles: 0,
    indexingDate: null,
    projectShares: [{ volumeName: 'Films', projectItems: [{ path: '/a', fullPath: '/mnt/films/a', isGone: true }] }],
  })
  const changed = { ...draft, id, name: 'Takes', allocatedSize: 2.5, paths: [{ volumeId: sound, path: '/' }] }
  expect((await admin('PUT', '/api/projects', changed).expect(200)).body).toEqual({ id })
  expect(await find(id)).toMatchObject({ name: 'Takes', allocatedSize: 3, projectShares: [{ volumeName: 'Sound' }] })
  await manager('DELETE', `/api/projects/${id}`).expect(204)
  await reader('GET', `/api/v1/projects/${id}`).expect(404)
  const events = await db.selectFrom('events').select(['type', 'data']).where('stream', '=', `project-${id}`).execute()
  expect(events.map(({ type }) => type)).toEqual(['Created', 'Changed', 'Removed'])
  expect(events[1]?.data).toMatchObject({ before: { paths: [`${films}:/a`] }, after: { paths: [`${sound}:/`] } })
})

test('only managers of projects and administrators change them', async () => {
  const id = await create()
  await reader('POST', '/api/projects', draft).expect(403)
  await reader('PUT', '/api/projects', { ...draft, id }).expect(403)
  await reader('DELETE', `/api/projects/${id}`).expect(403)
  expect((await find(id)).name).toBe('Rushes')
  await admin('DELETE', `/api/projects/${id}`).expect(204)
})

test('wrong fields are named one by one', async () => {
  const { body } = await manager('POST', '/api/projects', { name: ' ', allocatedSize: '1' }).expect(400)
  expect(body).toEqual({
    message: 'Validation errors',
    subErrors: [
      { field: 'name', message: 'must not be blank' },
      { field: 'allocatedSize', message: 'must not be null' },
      { field: 'paths', message: 'is required' },
    ],
  })
  const wrong: [object, string, string][] = [
    [{ allocatedSize: 0 }, 'allocatedSize', 'must be greater than 0'],
    [{ allocatedSize: -5 }, 'allocatedSize', 'must be greater than 0'],
    [{ allocatedSize: 1e300 }, 'allocatedSize', 'must be at most 8 PiB'],
    [{ allocatedSize: undefined }, 'allocatedSize', 'must not be null'],
    [{ name: 'x'.repeat(256) }, 'name', 'must be between 1 and 255 characters'],
    [{ description: 'x'.repeat(1001) }, 'description', 'must be at most 1000 characters'],
    [{ paths: [{ volumeId: films, path: 'a' }] }, 'paths.0.path', 'must begin with /'],
    [{ paths: [{ volumeId: films, path: '' }] }, 'paths.0.path', "can't be empty"],
    [{ paths: [{ volumeId: 'x', path: '/' }] }, 'paths.0.volumeId', 'must be a number'],
    [
      { paths: [{ volumeId: 999, path: '/' }] },
      'paths',
      'must be folders of configured storages; storage 999 is not one',
    ],
    [{ colour: 'red' }, 'colour', 'is not a parameter of this call'],
  ]
  for (const [of, field, message] of wrong) {
    const answer = await manager('POST', '/api/projects', { ...draft, ...of })
    expect([of, answer.status, answer.body.subErrors]).toEqual([of, 400, [{ field, message }]])
  }
  expect((await list()).total).toBe(0)
})

test('a name is used once, in any case, also if two requests arrive at once', async () => {
  const id = await create()
  const other = await create({ name: 'Other' })
  const taken = [{ field: 'name', message: 'must be unique' }]
  expect((await manager('POST', '/api/projects', { ...draft, name: ' RUSHES ' }).expect(400)).body.subErrors).toEqual(
    taken,
  )
  expect((await manager('PUT', '/api/projects', { ...draft, id: other }).expect(400)).body.subErrors).toEqual(taken)
  await manager('PUT', '/api/projects', { ...draft, id, name: 'rushes' }).expect(200)
  const both = await Promise.all([1, 2].map(() => manager('POST', '/api/projects', { ...draft, name: 'Twins' })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('missing items are not found', async () => {
  const calls: [typeof manager, 'GET' | 'PUT' | 'DELETE', string, object?][] = [
    [reader, 'GET', '/api/v1/projects/7'],
    [reader, 'GET', '/api/v1/projects/7/history'],
    [reader, 'GET', '/api/v1/projects/7/changes'],
    [reader, 'GET', '/api/v1/projects/7/reports?type=OVERVIEW'],
    [manager, 'PUT', '/api/projects', { ...draft, id: 7 }],
    [manager, 'DELETE', '/api/projects/7'],
  ]
  for (const [ask, method, path, body] of calls) {
    const answer = await ask(method, path, body)
    expect([path, answer.status, answer.body.message]).toEqual([path, 404, 'There is no project 7'])
  }
})

test('a folder is tracked once, and a folder inside another one is counted with it', async () => {
  const paths = ['/a', '/a/', '/a/b', '/ab', '/a/b/c'].map((path) => ({ volumeId: films, path }))
  const id = await create({ paths: [...paths, { volumeId: sound, path: '/a' }] })
  await count(films, '2026-01-01', { '/a': 100, '/a/b': 60, '/ab': 7, '/a/b/c': 50 })
  await count(sound, '2026-01-01', { '/a': 1000 })
  const nested = async () =>
    (await find(id)).projectShares.flatMap(({ projectItems }) =>
      projectItems.map(({ volumeId, path, isNested }) => `${volumeId}:${path}${isNested ? ' nested' : ''}`),
    )
  expect((await find(id)).sizeOfFiles).toBe(1107)
  expect(await nested()).toEqual(['2:/a', '1:/a', '1:/a/b nested', '1:/a/b/c nested', '1:/ab'])
  const less = paths.slice(2).map((folder) => ({ ...folder }))
  await manager('PUT', '/api/projects', { ...draft, id, paths: less }).expect(200)
  expect(await nested()).toEqual(['1:/a/b', '1:/a/b/c nested', '1:/ab'])
  expect((await find(id)).sizeOfFiles).toBe(67)
})

test('a folder that is gone counts nothing and says so; a deleted storage keeps its name, and its folders may stay', async () => {
  const paths = [
    { volumeId: films, path: '/a' },
    { volumeId: sound, path: '/a' },
  ]
  const id = await create({ paths })
  await count(films, '2026-01-01', { '/a': 100 })
  await count(sound, '2026-01-01', { '/a': 10 })
  await count(films, '2026-01-02', { '/a': 110 })
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', sound).execute()
  const [ofFilms, ofSound] = (await find(id)).projectShares
  expect(ofFilms).toMatchObject({ volumeName: 'Films', sizeOfFiles: 110, projectItems: [{ isGone: false }] })
  expect(ofSound).toMatchObject({
    volumeName: `Sound (removed on ${today()})`,
    isDeleted: true,
    sizeOfFiles: 0,
    projectItems: [{ volumeName: `Sound (removed on ${today()})`, isGone: true, sizeOfFiles: 0 }],
  })
  await manager('PUT', '/api/projects', { ...draft, id, paths }).expect(200)
  const added = [...paths, { volumeId: sound, path: '/b' }]
  await manager('PUT', '/api/projects', { ...draft, id, paths: added }).expect(400)
  expect(await find(id, 'indexingDate=2026-01-01')).toMatchObject({ sizeOfFiles: 110, indexingDate: '2026-01-01' })
})

test('a path in another letter case or normalization refers to the scanned folder, if it can only mean that one', async () => {
  const folders = ['/Rushes', '/two', '/TWO', '/café']
  await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-01' }, [
    { path: '', entries: folders.map((path) => ({ path, isDirectory: true, size: 0 })) },
    ...folders.map((path) => ({ path, entries: [] })),
  ])
  const pathsOf = async (id: number) =>
    (await find(id)).projectShares.flatMap(({ projectItems }) => projectItems.map(({ path }) => path)).sort()
  const at = (...paths: string[]) => ({ paths: paths.map((path) => ({ volumeId: films, path })) })
  const id = await create(at('/rushes', '/RUSHES/', '/two', '/Two', '/cafe\u0301', '/later'))
  expect(await pathsOf(id)).toEqual(['/Rushes', '/Two', '/café', '/later', '/two'])
  await manager('PUT', '/api/projects', { ...draft, id, ...at('/ruSHes', '/Later', '/later') }).expect(200)
  expect(await pathsOf(id)).toEqual(['/Later', '/Rushes', '/later'])
  const full = await create({ name: 'Full', ...at('/mnt/films/rushes') })
  expect(await pathsOf(full)).toEqual(['/Rushes'])
})

test('a folder that a project has stays, although another one appears under a similar name', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/old' }] })
  await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-01' }, [
    { path: '', entries: [{ path: '/Old', isDirectory: true, size: 0 }] },
    { path: '/Old', entries: [] },
  ])
  await manager('PUT', '/api/projects', { ...draft, id, paths: [{ volumeId: films, path: '/old' }] }).expect(200)
  expect((await find(id)).projectShares[0]?.projectItems).toMatchObject([{ path: '/old' }])
})

test('invalid values are refused, and nothing breaks', async () => {
  const odd = ["/'; DROP TABLE projects; --", '/%_\\', '/ü 🎬', '/with blank ', '/../..', `/${'x'.repeat(32_000)}`]
  const id = await create({ paths: odd.map((path) => ({ volumeId: films, path })) })
  expect((await find(id)).projectShares[0]?.projectItems.map(({ path }) => path).sort()).toEqual([...odd].sort())
  const nul = await manager('POST', '/api/projects', { ...draft, name: 'n', paths: [{ volumeId: films, path: '/\0' }] })
  expect([nul.status, nul.body.message]).toEqual([400, 'The request holds a value that cannot be stored'])
  for (const path of ['/api/v1/projects/x', '/api/v1/projects/99999999999', '/api/v1/projects/1?indexingDate=x'])
    await reader('GET', path).expect(400)
  await manager('POST', '/api/projects', { ...draft, name: 'p', paths: [{ volumeId: 2 ** 40, path: '/' }] }).expect(400)
  await reader('GET', `/api/v1/projects?filter=${encodeURIComponent("%' OR 1=1")}`).expect(200)
})
