import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readDigests, writeDigests } from './digestFile.ts'
import { digestBytes, newDigestCollector, openTable } from './digestTable.ts'

const header = { product: 'ours', volume: 1, scan: 7, rules: 'as they are' }
const random = newRandom(4)
const newDigest = () => Uint32Array.from({ length: 4 }, () => random.next() * 2 ** 32)
const bytesOf = (digest: Uint32Array) => new Uint8Array(digest.slice().buffer)

async function written(path: string, digests: Uint32Array[]): Promise<string> {
  const writer = await writeDigests(path, header)
  const { add, flush } = newDigestCollector(writer.add)
  digests.forEach(add)
  flush()
  const calledBy = await writer.finish()
  await writer.keep()
  await writer.drop()
  return calledBy ?? ''
}

test('all digests that were written are found again, and no others', async () => {
  const path = join(testFolder(), 'digests/1')
  for (const count of [0, 1, 4_095, 4_096, cases(30_000, 500_000)]) {
    const digests = Array.from({ length: count }, newDigest)
    // Many that belong at one place.
    for (const digest of digests.slice(0, 300)) digest[0] = 5
    const calledBy = await written(path, digests)
    const memory = await readDigests(path, header, calledBy)
    const table = openTable(memory ?? new SharedArrayBuffer(0))
    expect(digests.every(table.has)).toBe(true)
    expect(Array.from({ length: 1_000 }, newDigest).some(table.has)).toBe(false)
    expect(memory?.byteLength).toBeLessThan(count * 1.5 * digestBytes + 100)
  }
  expect(existsSync(`${path}.new`)).toBe(false)
})

test('a file of another product, volume, scan or rules is as none, and so is one that the server calls otherwise', async () => {
  const path = join(testFolder(), '1')
  const calledBy = await written(path, [newDigest()])
  expect(await readDigests(path, header, calledBy)).toBeDefined()
  for (const other of [{ product: 'theirs' }, { volume: 2 }, { scan: 8 }, { rules: '' }])
    expect(await readDigests(path, { ...header, ...other }, calledBy)).toBeUndefined()
  expect(await readDigests(path, header, await written(`${path}0`, [newDigest()]))).toBeUndefined()
  expect(await readDigests(`${path}1`, header, calledBy)).toBeUndefined()
})

test('a file that is damaged anywhere is as none', async () => {
  const path = join(testFolder(), '1')
  const calledBy = await written(path, Array.from({ length: 9 }, newDigest))
  const whole = readFileSync(path)
  for (let n = 0; n < cases(200, 2_000); n++) {
    const at = random.below(whole.length)
    const bit = Buffer.from(whole)
    bit[at] = (bit[at] as number) ^ (1 << random.below(8))
    const damaged = [bit, whole.subarray(0, at), Buffer.concat([whole, whole.subarray(at)])]
    writeFileSync(path, random.pick(damaged))
    expect(await readDigests(path, header, calledBy)).toBeUndefined()
  }
  writeFileSync(path, whole)
  expect(await readDigests(path, header, calledBy)).toBeDefined()
})

test('of more folders than fit into memory none are kept, and the file of before stays', async () => {
  const path = join(testFolder(), '1')
  const calledBy = await written(path, [newDigest()])
  const writer = await writeDigests(path, header, 2)
  for (let n = 0; n < 3; n++) writer.add(bytesOf(newDigest()))
  expect(await writer.finish()).toBeUndefined()
  await writer.drop()
  expect(await readDigests(path, header, calledBy)).toBeDefined()
  expect(existsSync(`${path}.new`)).toBe(false)
})
