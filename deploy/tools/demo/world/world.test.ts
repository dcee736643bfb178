import { expect, test } from 'vitest'
import { daySeconds, existingAt } from './files.ts'
import { foldersOf } from './folders.ts'
import { firstDay, today as lastDay } from './shows.ts'
import { storages } from './storages.ts'

const first = 1_700_000_000
const making = { first, seed: 47 }
const today = first + lastDay * daySeconds
const sizeAt = (name: string, at: number) => {
  const files = storages.find((storage) => storage.name === name)!.files(making)
  return existingAt(files, at).reduce((sum, { size }) => sum + size, 0)
}

test('the studio is the same for the same seed', () => {
  for (const { files } of storages) expect(files(making)).toEqual(files(making))
})

test('every file of a storage has a path of its own', () => {
  for (const { name, files } of storages) {
    const paths = existingAt(files(making), today).map(({ path }) => path)
    expect([name, new Set(paths).size]).toEqual([name, paths.length])
  }
})

test('the folders count their files and subfolders', () => {
  for (const { files } of storages) {
    const folders = foldersOf(existingAt(files(making), today), today)
    const entries = folders.length - 1 + folders.reduce((sum, folder) => sum + folder.files.length, 0)
    expect(folders.reduce((sum, { children }) => sum + children, 0)).toBe(entries)
  }
})

test('the renders fill their storage, which has room for some weeks', () => {
  const { capacity = 0 } = storages.find(({ name }) => name === 'Renders')!
  const weekly = [3, 2, 1, 0].map((week) => sizeAt('Renders', today - week * 7 * daySeconds))
  expect(weekly).toEqual(weekly.toSorted((a, b) => a - b))
  expect(weekly[3]! / capacity).toBeGreaterThan(0.9)
  expect(weekly[3]! / capacity).toBeLessThan(0.97)
})

test('no storage has more files than fit into it', () => {
  for (const { name, capacity = Infinity } of storages)
    for (let day = firstDay; day <= lastDay; day += 7)
      expect({ name, day, fits: sizeAt(name, first + day * daySeconds) < capacity }).toEqual({ name, day, fits: true })
})

test('some finished work is opened again after half a year, most is not', () => {
  const files = storages.flatMap(({ files }) => files(making))
  const again = files.filter(({ read = 0, modified, readAgain = [] }) =>
    readAgain.some((at) => at > Math.max(read, modified) + 180 * daySeconds),
  )
  expect(again.length).toBeGreaterThan(100)
  expect(again.length).toBeLessThan(files.length / 20)
  const [entry] = foldersOf(again.slice(0, 1), today).at(-1)!.files
  expect(entry!.accessed).toBe(again[0]!.readAgain!.at(-1))
})
