import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { browseRoutes } from '#server/questions/browse/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const app = createApp(platform, [...searchRoutes(platform), ...browseRoutes(platform)])
const ask = asUser(app, await testSession(platform.db, []))

/** As macOS stores names: accents after their letters. */
const projects = 'Gebäude'.normalize('NFD')
let volumeId = 0

beforeAll(async () => {
  volumeId = await newVolume(platform, 'Plans')
  const scan = { volumeId, indexingDate: '2026-01-01', cloneIndex: false }
  await scanFolders(platform, scan, [
    {
      path: '',
      entries: [
        { path: '/Films', isDirectory: true },
        { path: `/${projects}`, isDirectory: true },
      ],
    },
    { path: '/Films', entries: [{ path: '/Films/a.mov' }, { path: '/Films/Raw ', isDirectory: true }] },
    { path: '/Films/Raw ', entries: [{ path: '/Films/Raw /b.mov' }] },
    { path: `/${projects}`, entries: [{ path: `/${projects}/c.mov` }] },
  ])
})

const get = async (path: string, query: Record<string, string>) => {
  const { status, body } = await ask('GET', `${path}?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const namesOf = ({ elements }: { elements: { name: string }[] }) => elements.map(({ name }) => name).sort()
const below = async (startingPath: string) => namesOf(await get('/api/files/search', { startingPath }))
const lookup = (path: string) => get('/api/v1/directories/lookup', { path })

test('a typed folder is found however its accents are encoded, and in any case', async () => {
  for (const typed of ['/Gebäude', '/gebäude', `/${projects}`, '/GEBÄUDE/']) {
    expect([typed, await below(typed)]).toEqual([typed, ['c.mov']])
    const inPlace = await get('/api/files/search', { storageAndPath: `${volumeId}:${typed}` })
    expect([typed, namesOf(inPlace)]).toEqual([typed, ['c.mov']])
  }
  expect(await below('/films')).toEqual(['a.mov', 'b.mov'])
  expect(await below('/absent')).toEqual([])
})

/** Start of the full paths of the storage. */
async function rootOfStorage(): Promise<string> {
  const [shown] = (await get('/api/files/search', { startingPath: '/Films', name: 'a.mov' })).elements
  return shown.fullPath.slice(0, -'/Films/a.mov'.length)
}

test('a full path, as lists show it, means the folder of its storage', async () => {
  const root = await rootOfStorage()
  expect(root).toMatch(/^\/./)
  expect(await below(`${root}/Films`)).toEqual(['a.mov', 'b.mov'])
  expect(await below(root)).toEqual(['a.mov', 'b.mov', 'c.mov'])
  expect(await below(`${root}s/Films`)).toEqual([])
  expect(await lookup(`${root}/Films`)).toMatchObject({ folder: { volumeId, path: '/Films' } })
})

test('paths of criteria are equal however their accents are encoded', async () => {
  for (const operators of [
    { value: '/Gebäude/c.mov' },
    { values: ['/Gebäude/c.mov', '/nothing'] },
    { startsWith: '/Gebäude/' },
    { startsWith: '/Gebä' },
    { wildcard: '/gebäude/*' },
    { regex: 'Gebäude/c' },
  ]) {
    const { body } = await ask(
      'POST',
      '/api/v1/search',
      JSON.stringify([{ path: operators }, { isDirectory: { value: false } }]),
    )
    expect([operators, namesOf(body)]).toEqual([operators, ['c.mov']])
  }
})

test('a full path that a list shows finds the same in criteria and in the search field as the path within the storage', async () => {
  const root = await rootOfStorage()
  const byCriteria = async (path: object) => {
    const criteria = [{ path }, { isDirectory: { value: false } }, { volumeId: { values: [volumeId] } }]
    const { status, body } = await ask('POST', '/api/v1/search', JSON.stringify(criteria))
    expect([path, status]).toEqual([path, 200])
    return namesOf(body)
  }
  for (const [operators, found] of [
    [{ value: `${root}/Films/a.mov` }, ['a.mov']],
    [{ values: [`${root}/Films/a.mov`, '/elsewhere'] }, ['a.mov']],
    [{ startsWith: `${root}/Films/` }, ['a.mov', 'b.mov']],
    [{ startsWith: root.slice(0, -1) }, ['a.mov', 'b.mov', 'c.mov']],
    [{ startsWith: `${root}s/Films` }, []],
    [{ wildcard: `${root}/films/*.mov` }, ['a.mov', 'b.mov']],
    [{ regex: `^${root}/Films/[ab]` }, ['a.mov']],
    [{ regex: `^${root}/Films/a|^${root}/Films/Raw` }, ['a.mov', 'b.mov']],
    [{ startsWith: `${root}/Films/`, wildcard: '*b*' }, []],
  ] as const)
    expect([operators, await byCriteria(operators)]).toEqual([operators, found])
  const search = async (search: string) => namesOf(await get('/api/files/search', { search }))
  for (const typed of [`${root}/Films`, `${root}/films/`, '/Films', '/films/', 'ilms/', ` ${root}/Films `])
    expect([typed, await search(typed)]).toEqual([typed, ['a.mov', 'b.mov']])
  for (const typed of [`${root}/Films/a.mov`, '/Films/a.mov', 'films/a.', '/Films/a*'])
    expect([typed, await search(typed)]).toEqual([typed, ['a.mov']])
  expect(await search(`${root}/Flims`)).toEqual([])
})

test('spaces at the ends of names belong to a path', async () => {
  expect(await below('/Films/Raw ')).toEqual(['b.mov'])
  expect(await below('/Films/Raw')).toEqual([])
  expect(await lookup('/Films/Raw')).toEqual({ exists: false, folder: { volumeId, path: '/Films/Raw ' } })
})

test('the closest folder is offered for a path that does not exist', async () => {
  expect(await lookup('/Films')).toEqual({ exists: true, folder: { volumeId, path: '/Films' } })
  expect(await lookup('/films')).toEqual({ exists: true, folder: { volumeId, path: '/Films' } })
  expect(await lookup('/Flims/raw ')).toEqual({ exists: false, folder: { volumeId, path: '/Films/Raw ' } })
  expect(await lookup('/Films/Cooked')).toEqual({ exists: false, folder: { volumeId, path: '/Films' } })
  expect(await lookup('/raw ')).toEqual({ exists: false, folder: { volumeId, path: '/Films/Raw ' } })
  expect(await lookup('/nothing like it')).toEqual({ exists: false, folder: null })
})

test('folders are not offered without a storage', async () => {
  for (const path of ['/Films', 'nas:/Films', '\\\\nas\\films'])
    expect(await get('/api/v1/directories/lookup', { path, storageId: '99' })).toEqual({ exists: false, folder: null })
})

test('folders are suggested for a path in another case', async () => {
  expect(namesOf(await get('/api/v1/directories/paths', { path: '/FILMS/r' }))).toEqual(['Raw '])
})
