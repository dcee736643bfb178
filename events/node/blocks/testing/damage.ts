import { blockColumns } from '../../../scans/entryRow.ts'

/** Numbers that look random and are the same for the same seed. */
export type Random = {
  below(count: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

/** A block with something about it changed, which mostly leaves it broken. */
export function damage(random: Random, block: Buffer): Buffer {
  const at = placeIn(random, block)
  const length = random.pick([1, 1, 2, 4, 8, 300])
  const before = block.subarray(0, at)
  const after = block.subarray(Math.min(at + length, block.length))
  const odd = Buffer.alloc(length, random.pick([0x00, 0x01, 0x02, 0x7f, 0x80, 0xff]))
  const some = Buffer.from(Array.from({ length }, () => random.below(256)))
  switch (random.below(8)) {
    case 0:
      return Buffer.from(before)
    case 1:
      return Buffer.concat([block, random.pick([odd, some, block])])
    case 2:
      return Buffer.concat([before, random.pick([odd, some]), block.subarray(at)])
    case 3:
      return Buffer.concat([before, after])
    case 4:
      return Buffer.concat([before, block.subarray(placeIn(random, block))])
    default:
      return Buffer.concat([before, random.pick([odd, some]), after])
  }
}

/** A random place: anywhere, or near the head of a column with its counts and lengths, or in the block's own head. */
function placeIn(random: Random, block: Buffer): number {
  const [name, type] = random.pick(blockColumns)
  const head = block.indexOf(`${name}${String.fromCharCode(type.length)}${type}`)
  const near = head < 0 ? 0 : head - 2 + random.below(name.length + type.length + 48)
  const place = random.pick([random.below(block.length), near, near, random.below(4)])
  return Math.max(0, Math.min(place, block.length - 1))
}
