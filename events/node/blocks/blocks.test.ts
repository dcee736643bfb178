import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { batchLimits } from '../../scans/batches.ts'
import { bytesOfName } from '../../contract/fileNames.ts'
import { newBlockWriter } from './blockWriter.ts'
import { decodeBlock } from './testing/decodeBlock.ts'
import { addFile, addSome, entryOf, owners } from './testing/randomRows.ts'

test('rows are read as they were written, block after block, whole and in parts', () => {
  const random = newRandom(1)
  const writer = newBlockWriter(owners)
  for (let n = 0; n < cases(300, 5_000); n++) {
    const rows = addSome(random, writer)
    const from = random.below(rows.length)
    const to = from + 1 + random.below(rows.length - from)
    expect(decodeBlock(writer.encode(from, to)), `part of block ${n}`).toEqual(rows.slice(from, to))
    expect(decodeBlock(writer.encode()), `block ${n}`).toEqual(rows)
    expect(writer.rows()).toBe(rows.length)
    writer.clear()
  }
})

test('a folder that outlives a block is named in the next one, too', () => {
  const random = newRandom(2)
  const writer = newBlockWriter(owners)
  const handle = writer.folder('/a/')
  for (let n = 0; n < 3; n++) {
    writer.add(entryOf(random, false))
    const row = addFile(random, writer, '/a/', handle)
    expect(decodeBlock(writer.encode()).at(-1)).toEqual(row)
    writer.clear()
  }
})

test('users and groups are requested once for each block and number', () => {
  const calls: string[] = []
  const ask = (kind: string) => (id: number) => `${kind} ${calls.push(`${kind} ${id}`) && id}`
  const writer = newBlockWriter({ user: ask('user'), group: ask('group') })
  const random = newRandom(3)
  for (let n = 0; n < 2; n++) {
    for (let file = 0; file < 50; file++) addFile(random, writer, '/')
    expect(calls.length).toBe(new Set(calls).size)
    expect(calls.length).toBe(6)
    calls.length = 0
    writer.clear()
  }
})

test('a block is full with as many rows as indexes of 16 bits name folders, or with megabytes of text', () => {
  const writer = newBlockWriter()
  const entry = { ...entryOf(newRandom(4), false), name: 'a' }
  let rows = 0
  for (; writer.fullness() < 1; rows++) writer.add({ ...entry, parentPath: `/${rows}/`, owner: `${rows}` })
  expect(rows).toBe(batchLimits.rows)
  expect(decodeBlock(writer.encode()).map((row) => row.parent_path)).toEqual(
    Array.from({ length: rows }, (_, row) => `/${row}/`),
  )
  writer.clear()
  for (rows = 0; writer.fullness() < 1; rows++) writer.add({ ...entry, name: 'n'.repeat(100_000) })
  expect(rows).toBeLessThan(100)
})

test('names cross as the disk has them', () => {
  const writer = newBlockWriter()
  const name = Buffer.from([0xff, 0x41, 0xee, 0xbe, 0x80, 0xc3, 0xa9])
  writer.addFrom(writer.folder('/'), new Uint32Array(64), name, 0, name.length)
  expect(bytesOfName(decodeBlock(writer.encode())[0]?.name as string)).toEqual(name)
})
