import { expect, test } from 'vitest'
import { joinFolders } from './joinFolders.ts'

const copies = (...paths: string[]) => ({
  folders: paths.map((path) => ({ volumeId: path.startsWith('/tape') ? 2 : 1, path })),
  folderCount: paths.length,
  files: 1,
  size: 10,
  reclaimable: 10 * (paths.length - 1),
  billed: 5,
})
const joined = (...combinations: ReturnType<typeof copies>[]) =>
  joinFolders(combinations).map(({ folders, files, reclaimable }) => [
    folders.map(({ path }) => path),
    files,
    reclaimable,
  ])

test('folders are named as deep as all of their copies allow', () => {
  expect(joined(copies('/projects/a/1/', '/backup/a/1/'))).toEqual([[['/backup/a/1', '/projects/a/1'], 1, 10]])
  expect(joined(copies('/projects/a/1/', '/backup/a/1/'), copies('/projects/a/2/', '/backup/a/2/'))).toEqual([
    [['/backup/a', '/projects/a'], 2, 20],
  ])
  expect(joined(copies('/projects/a/1/', '/backup/a/1/'), copies('/projects/b/', '/backup/b/'))).toEqual([
    [['/backup', '/projects'], 2, 20],
  ])
})

test('folders with other names are joined by what is below them', () => {
  expect(joined(copies('/v1/s/', '/v2/s/'), copies('/v1/t/', '/v2/t/'), copies('/v1/', '/v2/'))).toEqual([
    [['/v1', '/v2'], 3, 30],
  ])
})

test('pairs and sets of three, and other pairs, stay apart', () => {
  const found = joined(copies('/a/x/', '/b/x/'), copies('/a/x/', '/b/x/', '/tape/x/'), copies('/a/x/', '/c/x/'))
  expect(found.map(([folders]) => folders)).toEqual([
    ['/a/x', '/b/x'],
    ['/a/x', '/b/x', '/tape/x'],
    ['/a/x', '/c/x'],
  ])
})

test('copies within a folder, in its subfolder and at the top of a storage keep their folders', () => {
  expect(joined(copies('/a/b/'))).toEqual([[['/a/b'], 1, 0]])
  expect(joined(copies('/a/', '/a/b/'))).toEqual([[['/a', '/a/b'], 1, 10]])
  expect(joined(copies('/x/', '/x/y/x/'))).toEqual([[['/x', '/x/y/x'], 1, 10]])
  expect(joined(copies('/', '/tape/'))).toEqual([[['/', '/tape'], 1, 10]])
})

test('the same path on two storages is a pair', () => {
  const folders = [
    { volumeId: 1, path: '/a/b/' },
    { volumeId: 2, path: '/a/b/' },
  ]
  expect(joinFolders([{ ...copies('/a', '/b'), folders }])[0]?.folders).toEqual([
    { volumeId: 1, path: '/a/b' },
    { volumeId: 2, path: '/a/b' },
  ])
})
