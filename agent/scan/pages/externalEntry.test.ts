import { expect, test } from 'vitest'
import { entryLimits, maxFileSize } from '#events/scans/entryLimits.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { PagedSystem } from '../../systems/system.ts'
import { requestsOf } from '../../testing/requestsOf.ts'
import { orderOf } from '../../testing/walked.ts'
import { decodeRows, isEntry, pathOf } from '../../testing/decodeRows.ts'
import { objectEntry } from '../../systems/objectEntry.ts'
import { checkedEntry } from './externalEntry.ts'
import { walkPages } from './walkPages.ts'

const entry = objectEntry({ key: 'film.mov', size: 7, modified: 1_000 })
const checked = (changes: Partial<EntryRow>) => checkedEntry({ ...entry, ...changes }, false)

test('sizes that cannot be are unknown, and the largest possible one is kept', () => {
  const impossible = [Number.NaN, -5, Infinity, -Infinity, 1.5, 1e300, 2 ** 63, 2n ** 63n, -7n, 10n ** 40n]
  for (const size of impossible)
    expect(checked({ size, allocatedSize: size })).toMatchObject({ size: -1, allocatedSize: -1 })
  for (const size of [0, 2 ** 53, maxFileSize, 0n]) expect(checked({ size })).toMatchObject({ size })
})

test('dates, links and modes that columns do not hold are unknown', () => {
  for (const odd of [Number.NaN, Infinity, -Infinity, 1e19])
    expect(checked({ created: odd, modified: odd, accessed: odd, backupDate: odd })).toMatchObject({
      created: 0,
      modified: 0,
      accessed: 0,
      backupDate: 0,
    })
  for (const odd of [Number.NaN, -1, 2 ** 32, Infinity, 0.5])
    expect(checked({ linkCount: odd, mode: odd })).toMatchObject({ linkCount: 1, mode: 0 })
})

test('words of a store are on one line, without control characters, and short', () => {
  const odd = `STAND\0ARD\r\n\u0085${'🎬'.repeat(5_000)}`
  const found = checked({
    owner: odd,
    group: odd,
    storageClass: odd,
    metadata: { [odd]: odd },
    etag: 'e'.repeat(2_000),
  })
  expect(found).toMatchObject({ etag: '' })
  const { owner, group, storageClass, metadata } = found as Required<EntryRow>
  for (const text of [owner, group, storageClass, ...Object.entries(metadata).flat()]) {
    expect(text).toMatch(/^STAND ARD 🎬+$/u)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(entryLimits.metadataValue)
  }
  expect(Buffer.byteLength(owner)).toBeLessThanOrEqual(entryLimits.word)
})

test.each(['..', '.', '', 'a/b', 'a\0b', '../../etc/passwd'])(
  '%j is not a valid file name, but may be an object name',
  (name) => {
    const odd = { ...entry, name }
    expect(checkedEntry(odd, true)).toBe('No file or folder can have its name')
    expect(checkedEntry(odd, false)).toMatchObject({ name })
  },
)

test.each(['/../', '/a/./b/', '//', '/a//', '/a\0/'])('no file is in %j, but objects may be', (parentPath) => {
  const odd = { ...entry, parentPath }
  expect(checkedEntry(odd, true)).toBe('No file or folder can have its name')
  expect(checkedEntry(odd, false)).toMatchObject({ parentPath })
})

test('names of dots and in folders with dots are names of files', () => {
  for (const odd of [{ name: '...' }, { name: '..a' }, { parentPath: '/.../' }, { parentPath: '/..a/.b/' }])
    expect(checkedEntry({ ...entry, ...odd }, true)).toMatchObject(odd)
})

test('a key of 9 MB, a deep path and a long name are counted with their reasons, and everything else is listed', async () => {
  const keys = ['k'.repeat(9_000_000), `${'d/'.repeat(20_000)}file`, '語'.repeat(1_366), '語'.repeat(1_365), 'good']
  const skipped: { path: string; error: string }[] = []
  const found: string[] = []
  const system: PagedSystem = {
    page: async () => ({ entries: keys.map((key) => objectEntry({ key, size: 1, modified: 1 })), rest: [] }),
    requests: () => 1,
  }
  const { counts } = await walkPages(orderOf('', { pending: [''] }), system, {
    listener: {
      batch: async ({ packed }) =>
        void found.push(
          ...decodeRows(packed)
            .filter((row) => isEntry(row) && row.is_directory === '0')
            .map(pathOf),
        ),
      unreadable: (path, error) => void skipped.push({ path, error }),
      progressed: () => {},
    },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    requests: requestsOf(system),
    signal: new AbortController().signal,
  })
  expect(found.sort()).toEqual(['/good', `/${'語'.repeat(1_365)}`])
  expect(skipped.map(({ error }) => error)).toEqual([
    'Its name is longer than 4,096 bytes',
    'Its path is longer than 32,768 characters',
    'Its name is longer than 4,096 bytes',
  ])
  expect(skipped.every(({ path }) => path.length <= 1_001)).toBe(true)
  expect(counts).toMatchObject({ unreadable: 3, bytes: 2 })
})

test('a cluster that lists .. as a child has it counted and named, not sent', async () => {
  const found: string[] = []
  const skipped: string[] = []
  const system: PagedSystem = {
    page: async () => ({ entries: ['..', 'take.mov'].map((name) => ({ ...entry, name })), rest: [] }),
    requests: () => 1,
  }
  const source = { kind: 'powerScale' } as ScanOrder['source']
  const { counts } = await walkPages(orderOf('', { source }), system, {
    listener: {
      batch: async ({ packed }) => void found.push(...decodeRows(packed).filter(isEntry).map(pathOf)),
      unreadable: (path) => void skipped.push(path),
      progressed: () => {},
    },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    requests: requestsOf(system),
    signal: new AbortController().signal,
  })
  expect([found.filter((path) => path !== ''), skipped]).toEqual([['/take.mov'], ['/..…']])
  expect(counts).toMatchObject({ unreadable: 1 })
})
