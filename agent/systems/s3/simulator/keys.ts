import type { StoredObject } from '../../objectEntry.ts'
import { contents } from './answers.ts'

/** The objects of a bucket, in the order of the bytes of their keys. */
export type Objects = { count: number; at(index: number): StoredObject }

/** These objects. Two of one key are an error. */
export function objectsOf(objects: readonly StoredObject[]): Objects {
  const sorted = objects
    .map((object) => ({ object, bytes: Buffer.from(object.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ object }) => object)
  if (new Set(sorted.map(({ key }) => key)).size < sorted.length) throw new Error('A key comes twice')
  return { count: sorted.length, at: (index) => sorted[index] as StoredObject }
}

/** Makes `count` objects when needed, always the same: in folders of a hundred, ten of these in each folder above. */
export const countedObjects = (count: number): Objects => ({
  count,
  at(index) {
    const digits = String(index).padStart(9, '0')
    const key = `show ${digits.slice(0, 4)}/reel ${digits.slice(4, 6)}/shot ${digits.slice(6, 7)}/frame.${digits.slice(7)}.exr`
    return {
      key,
      size: (index * 7_919) % 1_000_003,
      modified: 1_600_000_000 + index,
      etag: index.toString(16).padStart(32, 'a'),
      storageClass: index % 3 === 0 ? 'GLACIER' : 'STANDARD',
      owner: `owner ${index % 5}`,
    }
  },
})

/** The first object for whose key something holds that also holds for all keys behind it. */
export function firstWhere(objects: Objects, holds: (key: string) => boolean): number {
  let low = 0
  for (let high = objects.count; low < high;) {
    const middle = (low + high) >> 1
    if (holds(objects.at(middle).key)) high = middle
    else low = middle + 1
  }
  return low
}

const objectsOfBlock = 1_000
type Block = { bytes: Buffer; ends: Uint32Array }

/** The entries of a list of objects as bytes. They are written once, in blocks, so that a second listing costs nothing. */
export function writtenObjects(objects: Objects) {
  const blocks = new Map<string, Block>()
  const blockOf = (number: number, withOwner: boolean): Block => {
    const name = `${number} ${withOwner}`
    const block = blocks.get(name) ?? writeBlock(objects, number * objectsOfBlock, withOwner)
    blocks.set(name, block)
    return block
  }
  return (from: number, to: number, withOwner: boolean): Uint8Array[] => {
    const pieces: Uint8Array[] = []
    for (let at = from; at < to;) {
      const number = Math.floor(at / objectsOfBlock)
      const start = number * objectsOfBlock
      const end = Math.min(to, start + objectsOfBlock)
      const { bytes, ends } = blockOf(number, withOwner)
      pieces.push(bytes.subarray(ends[at - start], ends[end - start]))
      at = end
    }
    return pieces
  }
}

function writeBlock(objects: Objects, from: number, withOwner: boolean): Block {
  const to = Math.min(objects.count, from + objectsOfBlock)
  const pieces: Buffer[] = []
  const ends = new Uint32Array(to - from + 1)
  for (let at = from; at < to; at++) {
    const piece = Buffer.from(contents(objects.at(at), { isEncoded: true, withOwner }))
    pieces.push(piece)
    ends[at - from + 1] = (ends[at - from] as number) + piece.length
  }
  return { bytes: Buffer.concat(pieces), ends }
}
