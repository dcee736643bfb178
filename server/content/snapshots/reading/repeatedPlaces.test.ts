import { expect, test } from 'vitest'
import { repeatedPlaces, type VolumePlaces } from './repeatedPlaces.ts'

const volume = (volumeId: number, ...places: [path: string, fileSystem: string, root: string][]): VolumePlaces => ({
  volumeId,
  agentId: 1,
  places: places.map(([path, fileSystem, root]) => ({ path, fileSystem, root })),
})

test('a storage within another repeats its files, by any path', () => {
  const data = volume(1, ['', '/dev/sda', '/data'])
  const projects = volume(2, ['', '/dev/sda', '/data/projects'])
  const within = [{ volumeId: 1, path: '/projects', within: 2 }]
  expect(repeatedPlaces([data, projects])).toEqual(within)
  expect(repeatedPlaces([volume(1, ['', '/dev/sda', '/']), projects])).toEqual([
    { volumeId: 1, path: '/data/projects', within: 2 },
  ])
  expect(repeatedPlaces([data, { ...projects, agentId: 2 }])).toEqual([])
  expect(repeatedPlaces([data, volume(2, ['', '/dev/sda', '/database'])])).toEqual([])
  expect(repeatedPlaces([data, volume(2, ['', '/dev/sdb', '/data/projects'])])).toEqual([])
  expect(repeatedPlaces([data, { ...projects, places: null }])).toEqual([])
})

test('of two storages of the same folder the later one is the repetition', () => {
  expect(repeatedPlaces([volume(3, ['', '/dev/sda', '/x']), volume(5, ['', '/dev/sda', '/x'])])).toEqual([
    { volumeId: 5, path: '', within: 3 },
  ])
})

test('a file system mounted below a storage is shared with the storage of its own', () => {
  const srv = volume(1, ['', '/dev/sda', '/srv'], ['/film', '/dev/sdb', '/'])
  expect(repeatedPlaces([srv, volume(2, ['', '/dev/sdb', '/'])])).toEqual([{ volumeId: 1, path: '/film', within: 2 }])
  expect(repeatedPlaces([srv, volume(2, ['', '/dev/sdb', '/raw'])])).toEqual([
    { volumeId: 1, path: '/film/raw', within: 2 },
  ])
})
