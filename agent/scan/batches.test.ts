import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { encodeEntry } from '#events/scans/entryRow.ts'
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

/** Writes rows of these names; returns what would be sent. */
function batchesOf(names: Iterable<string>, parentPath = '/'): (PackedBatch & { rows: Row[] })[] {
  const sent: (PackedBatch & { rows: Row[] })[] = []
  let last = 0
  const send = (packed: PackedBatch) => void sent.push({ ...packed, rows: decodeRows(packed.packed) })
  const batches = newBatches({ attempt: 3, nextBatch: () => ++last, send })
  for (const name of names) batches.add(encodeEntry(batches.id(), { ...file, parentPath, name }))
  batches.flush()
  return sent
}

const belongTogether = ({ batch, rows }: PackedBatch & { rows: Row[] }) =>
  rows.every((row) => row.attempt === '3' && row.batch === String(batch))

test('rows go in batches of the agreed number, numbered without a gap', () => {
  const names = Array.from({ length: batchLimits.rows * 2 + 1 }, (_, i) => `file ${i}`)
  const sent = batchesOf(names)
  expect(sent.map(({ batch, rows }) => [batch, rows.length])).toEqual([
    [1, batchLimits.rows],
    [2, batchLimits.rows],
    [3, 1],
  ])
  expect(sent.every(belongTogether)).toBe(true)
  expect(sent.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(names)
})

test('a batch that does not shrink enough for a message becomes several', () => {
  const names = Array.from({ length: 8_000 }, (_, i) => `${randomBytes(120).toString('hex')}\u2028${i}\n\t1`)
  const sent = batchesOf(names)
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.map(({ batch }) => batch)).toEqual(sent.map((_, i) => i + 1))
  expect(sent.every(({ packed }) => packed.length <= batchLimits.packed)).toBe(true)
  expect(sent.every(belongTogether)).toBe(true)
  expect(sent.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(names)
})

test('a path of megabytes is cut nowhere', () => {
  const parentPath = `/${`${'\uef80'.repeat(250)}/`.repeat(5_000)}`
  const sent = batchesOf(['a', 'b', 'c', 'd'], parentPath)
  expect(sent.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(['a', 'b', 'c', 'd'])
  expect(sent.flatMap(({ rows }) => rows).every((row) => row.parent_path === parentPath)).toBe(true)
})

test('the longest paths do not break a batch', () => {
  const parentPath = `/${'\uef80'.repeat(4_090)}/`
  const names = Array.from({ length: 3_000 }, (_, i) => `${'\uefff'.repeat(250)}${i}`)
  const sent = batchesOf(names, parentPath)
  expect(sent.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(names)
})
