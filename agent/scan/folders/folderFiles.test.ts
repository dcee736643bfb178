import { expect, test } from 'vitest'
import { statxWords as at } from '#events/node/blocks/rowsOfFiles.ts'
import { type DiskEntry, giveName, nameOf, newDiskEntry } from '../../systems/local/diskEntry.ts'
import { newTableMemory, openTable } from '../digests/digestTable.ts'
import { FolderFiles } from './folderFiles.ts'

const modes = { file: 0o100644, link: 0o120777 }
function entryOf(name: string, changes: Partial<Record<keyof typeof at, number>> = {}, linkTarget = ''): DiskEntry {
  const entry = newDiskEntry()
  const stat = { mask: 0xfff, linkCount: 1, mode: linkTarget ? modes.link : modes.file, size: 3, blocks: 8, ...changes }
  for (const [word, value] of Object.entries(stat)) entry.stat[at[word as keyof typeof at]] = value
  giveName(entry, Buffer.from(name))
  entry.linkTarget = linkTarget
  return entry
}

/** Lists a folder; what is known are digests of listings before. */
function list(
  entries: DiskEntry[],
  known?: SharedArrayBuffer,
  { path = '/a', owners = '', isCheck = false, names = {} as Record<number, string> } = {},
) {
  const digests: Uint32Array[] = []
  const written: string[] = []
  const files = new FolderFiles({
    digests: { rules: 'rules', ...(known && { known: { table: known, scan: 1, isCheck } }) },
    owners: { key: owners, lookedUp: (database, id) => (database === 'passwd' ? (names[id] ?? '') : '') },
    made: (digest) => digests.push(digest.slice()),
  })
  const write = (entry: DiskEntry) => {
    const words = Object.entries(at).map(
      ([name, word]) => (entry.stat[word] as number) & (name === 'mask' ? 0x800 : -1),
    )
    written.push(`${nameOf(entry)} ${words.join()} ${entry.linkTarget}`)
  }
  files.begin(path, write)
  for (const entry of entries) if (!files.add(entry)) write(entry)
  const totals = files.end()
  const memory = newTableMemory(1)
  for (const digest of digests) openTable(memory).add(digest)
  return { totals, written, digests, memory }
}
const isKnown = (entries: DiskEntry[], by: DiskEntry[], more: Parameters<typeof list>[2] = {}) =>
  list(entries, list(by).memory, more).totals !== undefined

const some = () => [entryOf('a', { modified: 5 }), entryOf('b', { accessed: 7 }), entryOf('to', {}, '/some/where')]

test('files are as they were when all that makes their rows is, and their inode does not', () => {
  expect(isKnown(some(), some())).toBe(true)
  expect(isKnown([entryOf('a', { inode: 5, minor: 3 })], [entryOf('a', { inode: 6 })])).toBe(true)
  expect(isKnown([entryOf('a', { accessed: 5 }, 'b')], [entryOf('a', { accessed: 6 }, 'b')])).toBe(true)
  expect(isKnown([entryOf('a', { mask: 0x7ff, created: 5 })], [entryOf('a', { mask: 0x7ff })])).toBe(true)
  const words = ['user', 'group', 'mode', 'size', 'blocks', 'accessed', 'created', 'modified'] as const
  for (const word of words) expect(isKnown([entryOf('a', { [word]: 9 })], [entryOf('a')])).toBe(false)
  expect(isKnown([entryOf('a', { mask: 0x7ff })], [entryOf('a')])).toBe(false)
  expect(isKnown([entryOf('a', {}, 'b')], [entryOf('a', {}, 'c')])).toBe(false)
  expect(isKnown([entryOf('ab', {}, 'c')], [entryOf('a', {}, 'bc')])).toBe(false)
  expect(isKnown([entryOf('a'), entryOf('b')], [entryOf('b'), entryOf('a')])).toBe(false)
  expect(isKnown(some().slice(1), some())).toBe(false)
  expect(isKnown(some(), some(), { path: '/b' })).toBe(false)
  expect(isKnown(some(), some(), { owners: 'other names' })).toBe(false)
})

test('nothing is written of files that are as they were, and all of others as it was shown', () => {
  const { memory, written } = list(some())
  expect(written).toHaveLength(3)
  expect(list(some(), memory).written).toEqual([])
  expect(list(some(), memory, { isCheck: true })).toMatchObject({ written, totals: { files: 3 } })
  const odd = [
    entryOf('é'.repeat(127), { inode: 2 ** 32 - 1, major: 8, minor: 1, mask: 0x7ff, accessed: 9 }),
    entryOf('x', { user: 7, group: 8, accessed: 6, modified: 5, created: 4 }, 'ünïcödé\uef80'),
  ]
  const shown = list(odd).written
  expect(list(odd, memory).written).toEqual(shown)
  expect(list([...odd, entryOf('links', { linkCount: 2 })], memory).written.slice(0, 2)).toEqual(shown)
})

test('a folder with several links, with what cannot be looked up, or with nothing has no digest', () => {
  expect(list([]).digests).toEqual([])
  expect(list([...some(), entryOf('c', { linkCount: 2 }), entryOf('d')]).digests).toEqual([])
  expect(list([Object.assign(entryOf('a'), { error: 'EACCES' })]).digests).toEqual([])
  expect(list([entryOf('x'.repeat(5_000))]).digests).toEqual([])
  expect(list([entryOf('a', { size: 2 ** 31 }), Object.assign(entryOf('b'))]).digests).toHaveLength(1)
  const huge = entryOf('a')
  huge.stat[at.size + 1] = 2 ** 31
  expect(list([huge]).digests).toEqual([])
})

test('a large folder is known again, and one that is too large to be held back is sent', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => entryOf(`${n} ${'x'.repeat(200)}`, { inode: n }))
  const large = list(many(3_000))
  expect(large.digests).toHaveLength(1)
  expect(list(many(3_000), large.memory)).toMatchObject({ written: [], totals: { files: 3_000, size: 9_000 } })
  const tooLarge = list(many(40_000))
  const again = list(many(40_000), tooLarge.memory)
  expect(again.totals).toBeUndefined()
  expect(again.written.join('\n') === tooLarge.written.join('\n')).toBe(true)
  expect(again.digests).toEqual(tooLarge.digests)
})

test('a folder whose owner has another name in the name service is sent again', () => {
  const files = [entryOf('a', { user: 10_166 })]
  const named = (name: string) => ({ names: { 10_166: name } })
  const { memory } = list(files, undefined, named('orgads'))
  expect(list(files, memory, named('orgads')).totals).toBeDefined()
  expect(list(files, memory, named('orgads2')).totals).toBeUndefined()
  expect(list(files, memory).totals).toBeUndefined()
})
