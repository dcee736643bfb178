import { expect, test } from 'vitest'
import type { StorageSize } from '#events/dashboard.ts'
import { diskTiles, folderTiles } from './storageTiles.ts'

const storage = (volumeId: number, used: number | null, sizeOfFiles = 0) =>
  ({ volumeId, used, sizeOfFiles, total: 100, fileSystem: null }) as StorageSize
const tiles = (...storages: StorageSize[]) => diskTiles(storages, 1_000, 500, 5)

test('each storage is as large as its share of all that is stored, and an empty one is left out', () => {
  const laid = tiles(storage(1, 25), storage(2, null, 75), storage(3, 0))
  expect(laid.map(({ disk, box }) => [disk[0]?.volumeId, (box.width * box.height).toFixed(2)])).toEqual([
    [2, '0.75'],
    [1, '0.25'],
  ])
  expect(tiles()).toEqual([])
})

test('storages on one disk are one tile, as large as what is used of the disk', () => {
  const shared = [storage(1, 75), storage(2, 75)].map((one) => ({ ...one, fileSystem: 'north:1' }))
  const laid = tiles(...shared, storage(3, 25))
  expect(laid.map(({ disk, box }) => [disk.length, (box.width * box.height).toFixed(2)])).toEqual([
    [2, '0.75'],
    [1, '0.25'],
  ])
})

test('a storage has its name where there is room for it', () => {
  expect(tiles(storage(1, 999), storage(2, 1)).map(({ hasWords }) => hasWords)).toEqual([true, false])
})

test('folders share the tile of their disk by size, with a tile for the other files', () => {
  const [tile] = tiles({ ...storage(1, 100, 100), name: 'Films' })
  const folders = [
    { name: 'projects', size: 50 },
    { name: 'archive', size: 25 },
  ]
  const size = { width: 1_000, height: 500, vmin: 5 }
  const laid = tile ? folderTiles(tile, [{ volumeId: 1, folders }], size) : []
  expect(laid.map(({ name, box }) => [name, (box.width * box.height).toFixed(2)])).toEqual([
    ['projects', '0.50'],
    ['archive', '0.25'],
    [undefined, '0.25'],
  ])
  expect(tile && folderTiles(tile, [], size)).toEqual([])
  expect(tile && folderTiles(tile, [{ volumeId: 1, folders }], { ...size, width: 100 })).toEqual([])
})

test('folders of storages on one disk are named with their storage', () => {
  const shared = [storage(1, 75, 40), storage(2, 75, 30)].map((one, at) => ({
    ...one,
    fileSystem: 'north:1',
    name: ['Films', 'Sounds'][at] ?? '',
  }))
  const [tile] = tiles(...shared)
  const known = [1, 2].map((volumeId) => ({ volumeId, folders: [{ name: 'new', size: 30 }] }))
  const named = tile ? folderTiles(tile, known, { width: 1_000, height: 500, vmin: 5 }) : []
  expect(named.map(({ name }) => name)).toEqual(['Films: new', 'Sounds: new', undefined])
})
