import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { browseRoutes } from '#server/browse/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/search/index.ts'
import { newVolume } from '#server/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/snapshots/oracle/scanFolders.ts'
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

test('a full path, as lists show it, means the folder of its storage', async () => {
  const [shown] = (await get('/api/files/search', { startingPath: '/Films', name: 'a.mov' })).elements
  const root = shown.fullPath.slice(0, -'/Films/a.mov'.length)
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

test('folders are suggested for a path in another case', async () => {
  expect(namesOf(await get('/api/v1/directories/paths', { path: '/FILMS/r' }))).toEqual(['Raw '])
})
