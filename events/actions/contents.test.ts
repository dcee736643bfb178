import { expect, test } from 'vitest'
import { digestsOf, isOnDisk, referenceOf } from './contents.ts'

test.for([
  // Migrated, with a beginning that was kept, and released with the one block that Lustre shows
  [64_000_000, 0, false],
  [64_000_000, 1_048_576, false],
  [10_000_000, 512, false],
  [4_097, 0, false],
  // With its metadata
  [600, 0, true],
  [4_096, 0, true],
  [0, 0, true],
  // Compressed by 32 on btrfs
  [64_000_000, 2_000_000, true],
  [5_000, 4_096, true],
] as const)('a file of %i bytes with %i on disk is there: %s', ([size, allocated, expected]) => {
  expect(isOnDisk(size, allocated)).toBe(expected)
})

test('a reference of an earlier agent shares nothing, and neither does one with a wrong number', () => {
  const digests = { ends: 'e', whole: 'w', file: '1-2-3', shared: 4_096 }
  expect(digestsOf(referenceOf(digests))).toEqual(digests)
  for (const reference of ['e:w:1-2-3', 'e:w:1-2-3:', 'e:w:1-2-3:-5', `e:w:1-2-3:${'9'.repeat(30)}`])
    expect(digestsOf(reference)).toEqual({ ...digests, shared: 0 })
})
