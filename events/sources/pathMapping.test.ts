import { expect, test } from 'vitest'
import { isPrefix, mapPath, type PathMapping, pathWithin } from './pathMapping.ts'

const mapping = (volumeId: number, dataintellPath: string, externalPath: string): PathMapping => ({
  volumeId,
  dataintellPath,
  externalPath,
})
const ours = (mappings: PathMapping[], path: string) => mapPath(mappings, path, 'toDataIntell')
const theirs = (mappings: PathMapping[], path: string) => mapPath(mappings, path, 'fromDataIntell')

test('a prefix is made of whole names', () => {
  const films = [mapping(1, '/mnt/films', '/Volumes/Films')]
  expect(theirs(films, '/mnt/films')).toBe('/Volumes/Films')
  expect(theirs(films, '/mnt/films/a/b.mov')).toBe('/Volumes/Films/a/b.mov')
  expect(theirs(films, '/mnt/films2/a')).toBeUndefined()
  expect(theirs(films, '/mnt')).toBeUndefined()
  expect(theirs([mapping(1, '/mnt/films/', '/Volumes/Films/')], '/mnt/films/a')).toBe('/Volumes/Films/a')
})

test('the longest prefix wins, and single storages win over all storages', () => {
  const all = [
    mapping(-1, '/mnt/films/raw', '/global'),
    mapping(1, '/mnt', '/short'),
    mapping(2, '/mnt/films', '/long'),
  ]
  expect(theirs(all, '/mnt/films/raw/a')).toBe('/long/raw/a')
  expect(theirs(all, '/mnt/shows/a')).toBe('/short/shows/a')
  expect(theirs([all[0]!], '/mnt/films/raw/a')).toBe('/global/a')
  expect(ours(all, '/global/a')).toBe('/mnt/films/raw/a')
})

test('the root maps every path, and is mapped to', () => {
  expect(theirs([mapping(-1, '/', '/Volumes')], '/mnt/a')).toBe('/Volumes/mnt/a')
  expect(theirs([mapping(-1, '/mnt', '/')], '/mnt/a')).toBe('/a')
  expect(ours([mapping(-1, '/', '/Volumes')], '/Volumes')).toBe('/')
})

test('paths of Windows shares and of NFS exports keep their own separators', () => {
  const media = [mapping(1, String.raw`\\nas\media`, '/Volumes/media'), mapping(2, 'nas:/export', '/Volumes/export')]
  expect(theirs(media, String.raw`\\nas\media\shows\a.mov`)).toBe('/Volumes/media/shows/a.mov')
  expect(ours(media, '/Volumes/media/shows/a.mov')).toBe(String.raw`\\nas\media\shows\a.mov`)
  expect(theirs(media, 'nas:/export/a')).toBe('/Volumes/export/a')
  expect(theirs([mapping(1, '/nas/media', '/x')], String.raw`\\nas\media\a`)).toBeUndefined()
})

test('a folder of a storage has a path within it', () => {
  expect(pathWithin('/mnt/films', '/mnt/films/')).toBe('')
  expect(pathWithin('/mnt/films/', '/mnt/films/raw/a')).toBe('/raw/a')
  expect(pathWithin('/', '/mnt')).toBe('/mnt')
  expect(pathWithin(String.raw`\\nas\media`, String.raw`\\nas\media\raw\a`)).toBe('/raw/a')
  expect(pathWithin('nas:/export', 'nas:/export/raw')).toBe('/raw')
})

const names = ['a', 'b', 'ab', 'A', ' ', 'ä', '.x', 'a b']
let seed = 7
const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
const randomPath = (most: number) =>
  `/${Array.from({ length: next(most + 1) }, () => names[next(names.length)]).join('/')}`

test('mapped paths are mapped back unchanged', () => {
  for (let i = 0; i < 2_000; i++) {
    const mappings = [
      mapping(-1, `/global${randomPath(2)}`, `/else${randomPath(2)}`),
      ...Array.from({ length: next(4) }, (_, at) =>
        mapping(at + 1, `/our${at}${randomPath(2)}`, `/their${at}${randomPath(2)}`),
      ),
    ]
    for (const { dataintellPath, externalPath } of mappings) {
      const rest = randomPath(3).replace(/\/$/, '')
      const plain = (path: string) => path.replace(/(.)\/+$/, '$1')
      const path = plain(dataintellPath) + rest
      const mapped = theirs(mappings, path)
      expect(mapped === undefined ? undefined : plain(mapped)).toBe(plain(externalPath) + rest)
      expect(plain(ours(mappings, mapped ?? '') ?? '')).toBe(path)
    }
  }
})

test('a longer mapping never loses to a shorter one, in any order', () => {
  for (let i = 0; i < 2_000; i++) {
    const path = randomPath(5)
    const mappings = Array.from({ length: 4 }, (_, at) => mapping(at + 1, randomPath(3), `/to${at}`))
    const fitting = mappings.filter(({ dataintellPath }) => isPrefix(dataintellPath, path))
    const maxNames = Math.max(...fitting.map(({ dataintellPath }) => dataintellPath.split('/').filter(Boolean).length))
    const used = mappings.find(({ externalPath }) => theirs(mappings, path)?.startsWith(externalPath))
    const length = used?.dataintellPath.split('/').filter(Boolean).length ?? -Infinity
    expect(length).toBe(maxNames)
  }
})
