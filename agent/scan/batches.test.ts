import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { batchLimits } from '#events/scans/batches.ts'
import { decodeRows, type Row } from '../testing/decodeRows.ts'
import { newBatches, type PackedBatch } from './batches.ts'

const entry = {
  isDirectory: false,
  size: 1,
  allocatedSize: 512,
  linkCount: 1,
  device: 1,
  inode: 1,
  owner: '',
  group: '',
}
const file = { ...entry, mode: 0, linkTarget: '', created: 0, modified: 0, accessed: 0 }

type SentBatch = PackedBatch & { rows: Row[] }

/** Batches that note what they send. */
function noted() {
  const sent: SentBatch[] = []
  let last = 0
  const send = ({ batch, packed }: PackedBatch) => void sent.push({ batch, packed, rows: decodeRows(packed) })
  return { sent, batches: newBatches({ nextBatch: () => ++last, send }) }
}

/** Writes rows of these names; returns what would be sent. */
function batchesOf(names: Iterable<string>, parentPath = '/'): SentBatch[] {
  const { sent, batches } = noted()
  for (const name of names) batches.add({ ...file, parentPath, name })
  batches.flush()
  return sent
}

const namesIn = (sent: SentBatch[]) => sent.flatMap(({ rows }) => rows.map(({ name }) => name))
/** Names that do not compress: each adds about `bytes` bytes to its row. */
const longNames = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, i) => `${randomBytes(bytes).toString('hex')}\u2028${i}\n\t1`)

test('rows go in batches of the agreed number, numbered without a gap', () => {
  const names = Array.from({ length: batchLimits.rows * 2 + 1 }, (_, i) => `file ${i}`)
  const sent = batchesOf(names)
  expect(sent.map(({ batch, rows }) => [batch, rows.length])).toEqual([
    [1, batchLimits.rows],
    [2, batchLimits.rows],
    [3, 1],
  ])
  expect(namesIn(sent)).toEqual(names)
})

test('a batch that does not shrink enough for a message becomes several', () => {
  const names = longNames(8_000, 120)
  const sent = batchesOf(names)
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.map(({ batch }) => batch)).toEqual(sent.map((_, i) => i + 1))
  expect(sent.every(({ packed }) => packed.length <= batchLimits.packed)).toBe(true)
  expect(namesIn(sent)).toEqual(names)
})

test('after a batch that had to become two the next one is as small, and then they grow again', () => {
  const { sent, batches } = noted()
  const names = longNames(batchLimits.rows, 20)
  const add = (name: string) => batches.add({ ...file, parentPath: '/', name })
  while (sent.length === 0) add(names.pop() as string)
  expect(sent.length).toBe(2)
  const half = sent[0]?.rows.length ?? 0
  expect(half).toBeLessThan(batchLimits.rows / 2)
  for (let n = 0; sent.length < 4; n++) add(`file ${n}`)
  expect(sent.map(({ rows }) => rows.length)).toEqual([half, expect.any(Number), half, half * 2])
})

test('folders with unique names are cut with the rows that they contain', () => {
  const { sent, batches } = noted()
  const paths = longNames(10_000, 100).map((name) => `/${name}/`)
  for (const parentPath of paths) batches.add({ ...file, parentPath, name: 'a' })
  batches.flush()
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.every(({ packed }) => packed.length <= batchLimits.packed)).toBe(true)
  expect(sent.flatMap(({ rows }) => rows.map((row) => row.parent_path))).toEqual(paths)
})

test('a path of megabytes is cut nowhere', () => {
  const parentPath = `/${`${'\uef80'.repeat(250)}/`.repeat(5_000)}`
  const sent = batchesOf(['a', 'b', 'c', 'd'], parentPath)
  expect(namesIn(sent)).toEqual(['a', 'b', 'c', 'd'])
  expect(sent.flatMap(({ rows }) => rows).every((row) => row.parent_path === parentPath)).toBe(true)
})

test('the longest paths do not break a batch', () => {
  const parentPath = `/${'\uef80'.repeat(4_090)}/`
  const names = Array.from({ length: 3_000 }, (_, i) => `${'\uefff'.repeat(250)}${i}`)
  expect(namesIn(batchesOf(names, parentPath))).toEqual(names)
})
