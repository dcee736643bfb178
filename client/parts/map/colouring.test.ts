import { expect, test } from 'vitest'
import type { MapEntry } from '#events/map.ts'
import { colourBy } from './colouring.ts'
import { everyNode, type MapNode } from './mapTree.ts'
import { mostlyOf, spoken } from './mapWords.ts'
import type { Mostly } from './mostly.ts'
import { treeFrom } from './testing.ts'

const on = '2026-11-21'
const legend = (by: Parameters<typeof colourBy>[0], tree: MapNode) =>
  colourBy(by, tree, { on }).categories.map(({ label, size }) => [label, size])
const files = (...inside: Partial<MapEntry>[]) =>
  treeFrom({ name: 'r', in: inside.map((facts, n) => ({ name: `f${n}`, ...facts })) })

test('age counts from the day that is shown', () => {
  const read = (lastAccess: string, size: number) => ({ lastAccess: `${lastAccess}T12:00:00.000Z`, size })
  const tree = files(read('2026-11-21', 1), read('2026-10-01', 2), read('2025-12-24', 4), read('2001-01-01', 8))
  expect(legend('age', tree)).toEqual([
    ['Last 30 days', 1],
    ['30 to 90 days', 2],
    ['180 to 365 days', 4],
    ['Over a year', 8],
  ])
})

test('what nobody knows the last access of has no age, and words do not speak of it', () => {
  const tree = files({ lastAccess: '2026-11-21T12:00:00.000Z', size: 1 }, { lastAccess: null, size: 2 })
  expect(legend('age', tree)).toEqual([
    ['Last 30 days', 1],
    ['Not known', 2],
  ])
  expect(tree.children.map((node) => spoken(node, tree, undefined, '2').includes('last access'))).toEqual([true, false])
})

test('the six largest types have colours, the seventh and further share one', () => {
  const tree = files(
    ...['mov', 'wav', 'tif', 'txt', 'dpx', 'exr', 'xml', ''].map((extension, n) => ({ extension, size: 8 - n })),
  )
  expect(legend('type', tree).map(([label]) => label)).toEqual([
    'mov',
    'wav',
    'tif',
    'txt',
    'dpx',
    'exr',
    'Other types',
  ])
  expect(legend('type', tree).at(-1)).toEqual(['Other types', 3])
  expect(legend('owner', tree)).toEqual([['ana', 36]])
})

/** A folder that is looked into, and three that are not: of pictures, of names without an ending, of what has no record. */
const closed = treeFrom({
  name: 'r',
  in: [
    { name: 'open', smaller: { count: 9, size: 500 }, in: [{ name: 'a.mov', extension: 'mov', size: 5 }] },
    { name: 'frames', in: [], size: 40 },
    { name: 'bare', in: [], size: 20 },
    { name: 'archive', in: [], size: 10 },
  ],
})
const consistingOf = (state: Mostly['state'], folders: Record<string, [value: string, size: number]>): Mostly => ({
  by: 'extension',
  folders: new Map(Object.entries(folders).map(([path, [value, size]]) => [path, { path, value, size }])),
  state,
})
const told = consistingOf('read', { '/open': ['txt', 480], '/frames': ['exr', 33], '/bare': ['', 20] })
const labels = (mostly: Mostly | undefined, paintsFolders: boolean, by: 'type' | 'owner' = 'type') =>
  colourBy(by, closed, { on, mostly, paintsFolders }).categories.map(({ label, size }) => [label, size])

test('a closed folder has the colour of what it mostly consists of', () => {
  const { categoryOf, roleOf } = colourBy('type', closed, { on, mostly: told })
  const named = (name: string) => [...everyNode(closed)].find((node) => node.name === name)!
  expect(labels(told, false)).toEqual([
    ['exr', 40],
    ['No extension', 20],
    ['mov', 5],
    ['Folders, not known', 10],
  ])
  expect(categoryOf(named('frames'))).toBe('= exr')
  expect(['frames', 'bare', 'a.mov', 'archive'].map((name) => roleOf(named(name)))).toEqual([
    'category-1',
    'category-2',
    'category-3',
    'control-border',
  ])
})

test('folders that are painted round about what is in them are in the legend, too', () => {
  expect(labels(told, true)).toEqual([
    ['exr', 40],
    ['No extension', 20],
    ['mov', 5],
    ['Other types', 0],
    ['Folders, not known', 10],
  ])
})

test('what is not known of folders yet is said, and what is known stays', () => {
  const reading = consistingOf('reading', { '/frames': ['exr', 33] })
  expect(labels(reading, false)).toEqual([
    ['exr', 40],
    ['mov', 5],
    ['Folders, being read', 30],
  ])
  expect(labels(undefined, false, 'owner')).toEqual([
    ['ana', 5],
    ['Folders, being read', 70],
  ])
  expect(labels(consistingOf('failed', {}), false).at(-1)).toEqual(['Folders, not read', 70])
})

test('words say how much of a folder that is', () => {
  const [open, frames, bare, archive] = ['open', 'frames', 'bare', 'archive'].map((name) =>
    [...everyNode(closed)].find((node) => node.name === name)!,
  )
  expect(mostlyOf(frames!, told, '2')).toBe('exr · 82.5 % of 40 B')
  expect(mostlyOf(bare!, told, '2')).toBe('No extension · 100.0 % of 20 B')
  expect(mostlyOf(bare!, { ...told, by: 'owner' }, '2')).toMatch(/^No owner/)
  expect(mostlyOf(archive!, told, '2')).toBe('not known')
  expect(mostlyOf(open!.children[1]!, told, '2')).toBeUndefined()
  expect(mostlyOf(frames!, undefined, '2')).toBeUndefined()
  expect(spoken(frames!, closed, told, '2')).toMatch(
    /^frames, folder, 40 B, 6.9 %, largest type exr · 82.5 % of 40 B, last/,
  )
})

test('growth says what is new, grown, shrunk or the same', () => {
  const tree = files(
    { size: 1, isCreated: true, delta: 1 },
    { size: 2, delta: 5 },
    { size: 3, delta: -1 },
    { size: 4, delta: 0 },
    { size: 5 },
  )
  expect(legend('growth', tree)).toEqual([
    ['New', 1],
    ['Grown', 2],
    ['Shrunk', 3],
    ['Unchanged', 4],
    ['Not known', 5],
  ])
  expect(legend('depth', tree)).toEqual([['Level 1', 15]])
})
