import { expect, test } from 'vitest'
import { noScan, placesOverTime } from './placesOverTime.ts'

const folder = (path: string, earlier: Record<string, number> = {}, volumeId = 1) => ({
  volumeId,
  path,
  earlier: Object.entries(earlier).map(([path, beforeScan]) => ({ path, beforeScan })),
})
/** Places as 'from-before path', with 'nested' for those in another folder. */
const shown = (...folders: ReturnType<typeof folder>[]) =>
  placesOverTime(folders).map((places) =>
    places.map(
      ({ path, isNested, fromScan, beforeScan }) =>
        `${fromScan}-${beforeScan === noScan ? '' : beforeScan} ${path}${isNested ? ' nested' : ''}`,
    ),
  )

test('a folder without moves has one place, nested in any folder above it', () => {
  expect(shown(folder('/'), folder('/a'), folder('/a/b/c'), folder('/ab'))).toEqual([
    ['0- /'],
    ['0- /a nested'],
    ['0- /a/b/c nested'],
    ['0- /ab nested'],
  ])
  expect(shown(folder('/a'), folder('/ab'), folder('/a/b', {}, 2))).toEqual([['0- /a'], ['0- /ab'], ['0- /a/b']])
})

test('a folder has each of its paths up to the scan that no longer found it there', () => {
  expect(shown(folder('/c', { '/a': 5, '/b': 9 }))).toEqual([['0-5 /a', '5-9 /b', '9- /c']])
})

test('a folder is nested only while it is in another one', () => {
  expect(shown(folder('/x'), folder('/x/a', { '/a': 5 }))).toEqual([['0- /x'], ['0-5 /a', '5- /x/a nested']])
  expect(shown(folder('/x'), folder('/a', { '/x/a': 5 }))).toEqual([['0- /x'], ['0-5 /x/a nested', '5- /a']])
  expect(shown(folder('/y', { '/x': 5 }), folder('/x/a'))).toEqual([
    ['0-5 /x', '5- /y'],
    ['0-5 /x/a nested', '5- /x/a'],
  ])
})

test('a path that two folders had in the same scans counts for the first one', () => {
  expect(shown(folder('/p1-final', { '/p1': 5 }), folder('/p1'))).toEqual([
    ['0-5 /p1', '5- /p1-final'],
    ['0-5 /p1 nested', '5- /p1'],
  ])
})
