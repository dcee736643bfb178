import { expect, test } from 'vitest'
import { growthPlaces } from './topGrowing.ts'

const folder = (path: string, growth: number, volumeId = 1) => ({
  volumeId,
  volumeName: `Storage ${volumeId}`,
  path,
  growth,
  size: growth,
})
const places = (...folders: ReturnType<typeof folder>[]) => growthPlaces(folders).map(({ path }) => path)

test('the root of a storage is replaced by the folders in it', () => {
  expect(places(folder('/', 100), folder('/a', 60), folder('/b', 40))).toEqual(['/a', '/b'])
  expect(places(folder('/', 100))).toEqual(['/'])
})

test('a folder with most of the growth of its parents represents them', () => {
  const chain = [folder('/', 100), folder('/projects', 98), folder('/projects/aurora', 95), folder('/music', 2)]
  expect(places(...chain)).toEqual(['/projects/aurora', '/music'])
})

test('a single folder with everything in it is split, but a long list is not', () => {
  const few = [folder('/media', 100), folder('/media/a', 50), folder('/media/b', 45)]
  expect(places(...few)).toEqual(['/media/a', '/media/b'])
  const others = ['/c', '/d', '/e', '/f'].map((path) => folder(path, 10))
  expect(places(...few, ...others)).toEqual(['/media', '/c', '/d', '/e', '/f'])
})

test('growth in the files of a folder keeps the folder', () => {
  expect(places(folder('/media', 100), folder('/media/a', 30))).toEqual(['/media'])
})

test('folders of the same path in two storages are different ones', () => {
  expect(growthPlaces([folder('/a', 5, 1), folder('/a/b', 5, 2)]).map(({ volumeId }) => volumeId)).toEqual([1, 2])
})
