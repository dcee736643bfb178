import { expect, test } from 'vitest'
import type { MapEntry } from '#events/folders/map.ts'
import { colourBy } from './colouring.ts'
import { everyNode, type MapNode } from './mapTree.ts'
import { ageFacts, dominantText, spokenText, type DominantValues } from './mapWords.ts'
import { treeFrom } from './testing.ts'

const on = '2026-11-21'
const legend = (by: Parameters<typeof colourBy>[0], tree: MapNode) =>
  colourBy(by, tree, { on }).categories.map(({ label, size }) => [label, size])
const files = (...inside: Partial<MapEntry>[]) =>
  treeFrom({ name: 'r', in: inside.map((facts, n) => ({ name: `f${n}`, ...facts })) })

test('age counts from the day that is shown', () => {
  const read = (lastAccess: string, size: number) => ({
    lastAccess: `${lastAccess}T12:00:00.000Z`,
    lastModified: null,
    size,
  })
  const tree = files(read('2026-11-21', 1), read('2026-10-01', 2), read('2025-12-24', 4), read('2001-01-01', 8))
  expect(legend('age', tree)).toEqual([
    ['Last 30 days', 1],
    ['30 to 90 days', 2],
    ['180 to 365 days', 4],
    ['Over a year', 8],
  ])
})

test('a file that was changed after its last access has the age of its change', () => {
  const changed = (lastModified: string | null, lastAccess: string | null) => ({ lastModified, lastAccess, size: 1 })
  const [today, old] = ['2026-11-21T12:00:00.000Z', '2018-01-01T00:00:00.000Z']
  const tree = files(
    changed(today, old),
    changed(old, today),
    changed(old, old),
    changed(null, old),
    changed(today, null),
  )
  expect(legend('age', tree)).toEqual([
    ['Last 30 days', 2],
    ['Over a year', 2],
    ['Unknown', 1],
  ])
})

test('entries with an unknown last access have no age, and no text mentions it', () => {
  const tree = files({ lastAccess: '2026-11-21T12:00:00.000Z', size: 1 }, { lastAccess: null, size: 2 })
  expect(legend('age', tree)).toEqual([
    ['Last 30 days', 1],
    ['Unknown', 2],
  ])
  expect(tree.children.map((node) => spokenText(node, tree, undefined, '2').includes('last access'))).toEqual([
    true,
    false,
  ])
})

/** A folder of old files next to a file that was read today. As a whole, it was read today. */
const mixed = treeFrom({
  name: 'r',
  smaller: { count: 3, size: 60 },
  in: [
    { name: 'old', in: [], size: 900, lastAccess: '2026-11-21T12:00:00.000Z' },
    { name: 'new', size: 40, lastAccess: '2026-11-21T12:00:00.000Z' },
  ],
})
const agesOf = (folders: Record<string, number[]>): DominantValues => ({
  by: 'age',
  folders: new Map(
    Object.entries(folders).map(([path, ages]) => {
      const size = Math.max(...ages)
      return [path, { path, value: `${ages.indexOf(size)}`, size, ages }]
    }),
  ),
  state: 'read',
})
const ages = agesOf({ '/': [90, 0, 10, 0, 890], '/old': [45, 0, 0, 0, 850] })

test('by age a folder has the colours of the bytes below it, and the legend adds up to all of them', () => {
  const { categories, bandsOf, roleOf } = colourBy('age', mixed, { on, dominants: ages })
  expect(categories.map(({ label, size }) => [label, size])).toEqual([
    ['Last 30 days', 90],
    ['90 to 180 days', 10],
    ['Over a year', 890],
    ['Unknown', 10],
  ])
  const [old, smaller, recent] = mixed.children
  expect(bandsOf(old!)?.map(({ role, share }) => [role, share])).toEqual([
    ['age-1', 0.05],
    ['age-5', 850 / 900],
    ['other', 5 / 900],
  ])
  expect([old, recent].map((node) => roleOf(node!))).toEqual(['age-5', 'age-1'])
  expect(bandsOf(recent!)).toEqual([{ key: '0', role: 'age-1', share: 1 }])
  // Nodes too small to be drawn get the rest of the folder's bytes.
  expect(bandsOf(smaller!)?.map(({ role, share }) => [role, Math.round(share * smaller!.size)])).toEqual([
    ['age-1', 5],
    ['age-3', 10],
    ['age-5', 40],
    ['other', 5],
  ])
  expect(dominantText(old!, ages, '2')).toBe('Over a year · 94.4 % of 900 B')
  expect(ageFacts(old!, ages, '2')).toEqual([
    ['Last 30 days', '5.0 %, 45 B'],
    ['Over a year', '94.4 %, 850 B'],
  ])
})

test('while ages of folders are read, ages of files are announced alone', () => {
  const reading = { ...agesOf({}), state: 'reading' } as const
  const { categories, bandsOf } = colourBy('age', mixed, { on, dominants: reading })
  expect(categories.map(({ label, size }) => [label, size])).toEqual([
    ['Last 30 days', 40],
    ['Folders, loading', 900],
  ])
  expect(mixed.children.map((node) => bandsOf(node)?.length)).toEqual([undefined, undefined, 1])
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

/** An expanded folder and three collapsed ones: with pictures, with names without an extension, and without data. */
const closed = treeFrom({
  name: 'r',
  in: [
    { name: 'open', smaller: { count: 9, size: 500 }, in: [{ name: 'a.mov', extension: 'mov', size: 5 }] },
    { name: 'frames', in: [], size: 40 },
    { name: 'bare', in: [], size: 20 },
    { name: 'archive', in: [], size: 10 },
  ],
})
const consistingOf = (
  state: DominantValues['state'],
  folders: Record<string, [value: string, size: number]>,
): DominantValues => ({
  by: 'extension',
  folders: new Map(Object.entries(folders).map(([path, [value, size]]) => [path, { path, value, size }])),
  state,
})
const known = consistingOf('read', { '/open': ['txt', 480], '/frames': ['exr', 33], '/bare': ['', 20] })
const labels = (dominants: DominantValues | undefined, paintsFolders: boolean, by: 'type' | 'owner' = 'type') =>
  colourBy(by, closed, { on, dominants, paintsFolders }).categories.map(({ label, size }) => [label, size])

test('a closed folder has the colour of its main content', () => {
  const { categoryOf, roleOf } = colourBy('type', closed, { on, dominants: known })
  const named = (name: string) => [...everyNode(closed)].find((node) => node.name === name)!
  expect(labels(known, false)).toEqual([
    ['exr', 40],
    ['No extension', 20],
    ['mov', 5],
    ['Folders, unknown', 10],
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
  expect(labels(known, true)).toEqual([
    ['exr', 40],
    ['No extension', 20],
    ['mov', 5],
    ['Other types', 0],
    ['Folders, unknown', 10],
  ])
})

test('missing figures of folders are reported, and known ones stay', () => {
  const reading = consistingOf('reading', { '/frames': ['exr', 33] })
  expect(labels(reading, false)).toEqual([
    ['exr', 40],
    ['mov', 5],
    ['Folders, loading', 30],
  ])
  expect(labels(undefined, false, 'owner')).toEqual([
    ['ana', 5],
    ['Folders, loading', 70],
  ])
  expect(labels(consistingOf('failed', {}), false).at(-1)).toEqual(['Folders, not loaded', 70])
})

test('words say how much of a folder that is', () => {
  const [open, frames, bare, archive] = ['open', 'frames', 'bare', 'archive'].map((name) =>
    [...everyNode(closed)].find((node) => node.name === name)!,
  )
  expect(dominantText(frames!, known, '2')).toBe('exr · 82.5 % of 40 B')
  expect(dominantText(bare!, known, '2')).toBe('No extension · 100.0 % of 20 B')
  expect(dominantText(bare!, { ...known, by: 'owner' }, '2')).toMatch(/^No owner/)
  expect(dominantText(archive!, known, '2')).toBe('unknown')
  expect(dominantText(open!.children[1]!, known, '2')).toBeUndefined()
  expect(dominantText(frames!, undefined, '2')).toBeUndefined()
  expect(spokenText(frames!, closed, known, '2')).toMatch(
    /^frames, folder, 40 B, 6.9 %, largest type exr · 82.5 % of 40 B, last/,
  )
})

test('growth counts added and removed bytes, not the total of changed files', () => {
  const tree = files(
    { size: 1, isCreated: true, delta: 1 },
    { size: 3, delta: 2 },
    { size: 3, delta: -1 },
    { size: 4, delta: 0 },
    { size: 5 },
  )
  expect(legend('growth', tree)).toEqual([
    ['New', 1],
    ['Grown', 2],
    ['Shrunk', 1],
    ['Unchanged', 8],
    ['Unknown', 5],
  ])
  expect(legend('depth', tree)).toEqual([['Level 1', 16]])
})
