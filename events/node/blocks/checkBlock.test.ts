import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { batchLimits } from '../../scans/batches.ts'
import { newBlockWriter } from './blockWriter.ts'
import { checkBlock } from './checkBlock.ts'
import { blockOf } from './testing/blockOf.ts'
import { damage } from './testing/damage.ts'
import { decodeBlock } from './testing/decodeBlock.ts'
import { addSome, entryOf, owners } from './testing/randomRows.ts'

/** True if a plain reader of the whole block accepts it. */
function isWhole(block: Buffer): boolean {
  try {
    decodeBlock(block)
    return true
  } catch {
    return false
  }
}

test('blocks are taken as they are written, with the columns that they have', () => {
  const random = newRandom(1)
  const writer = newBlockWriter(owners)
  for (let n = 0; n < cases(300, 3_000); n++) {
    const rows = addSome(random, writer)
    const checked = checkBlock(writer.encode())
    expect(checked, `block ${n}`).toMatchObject({ rows: rows.length })
    writer.clear()
  }
  const plain = checkBlock(blockOf((rows) => rows.addUnreadable({ parentPath: '', name: '' })))
  expect(typeof plain === 'string' ? plain : plain.columns.map(([name]) => name)).toEqual([
    'kind',
    'parent_path',
    'name',
    'is_directory',
  ])
})

test('damaged blocks are refused with a reason, and nothing else is', () => {
  const random = newRandom(2)
  const writer = newBlockWriter(owners)
  const reasons = new Map<string, number>()
  let refused = 0
  for (let n = 0; refused < cases(1_000, 10_000); n++) {
    addSome(random, writer)
    const block = damage(random, Buffer.from(writer.encode()))
    writer.clear()
    const checked = checkBlock(block)
    expect(typeof checked !== 'string', `block ${n}: ${String(checked)}`).toBe(isWhole(block))
    if (typeof checked !== 'string') continue
    refused++
    reasons.set(checked, (reasons.get(checked) ?? 0) + 1)
  }
  expect([...reasons.keys()].sort()).toEqual([
    'a block of other columns',
    'a block that ends too early',
    'a block whose keys do not fit its rows',
    'a block with a map that cannot be',
    'a block with an invalid Bool',
    'a block with more behind its end',
    'a block with no rows or too many',
    'a block with text that is not UTF-8',
  ])
})

test('a character split over two texts counts as missing, with any lengths', () => {
  const entry = entryOf(newRandom(3), false)
  for (const length of [1, 2, 127, 128, 300]) {
    const [first, second] = ['é'.padStart(length, 'a'), 'b'.repeat(length)]
    const block = blockOf((rows) => [first, second].forEach((name) => rows.add({ ...entry, name })))
    const at = block.indexOf('é')
    expect(checkBlock(block)).toMatchObject({ rows: 2 })
    block[at + 1] = 0x61
    expect(checkBlock(block)).toBe('a block with text that is not UTF-8')
  }
})

test('absurd counts and lengths cost no memory', () => {
  const absurd = ['ffffff7f', 'ffffffffffffffff7f', 'ffffffff0f', 'ffffffffffffff7f', '0000000000000080', 'feff0300']
  const block = blockOf((rows) => rows.add({ ...entryOf(newRandom(4), false), name: 'a', metadata: { a: 'b' } }))
  const blocks = absurd.flatMap((hex) => {
    const number = Buffer.from(hex, 'hex')
    return [...block.keys()].map((at) => Buffer.concat([block.subarray(0, at), number, block.subarray(at)]))
  })
  const heldBytes = () => {
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    return heapUsed + external + arrayBuffers
  }
  const before = heldBytes()
  let refused = 0
  for (const each of blocks) refused += Number(typeof checkBlock(each) === 'string')
  expect(heldBytes() - before).toBeLessThan(32 * 1024 ** 2)
  expect(refused).toBeGreaterThan(blocks.length / 2)
})

test('a block has no row more than indexes of 16 bits can have folders for', () => {
  const maxLength = Buffer.from([4, 0xff, 0xff, 0x03])
  const more = Buffer.from([4, 0x80, 0x80, 0x04])
  expect(batchLimits.rows).toBe(0xffff)
  expect(checkBlock(maxLength)).toBe('a block of other columns')
  expect(checkBlock(more)).toBe('a block with no rows or too many')
})
