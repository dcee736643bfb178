import { lstatSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readOwners } from './owners.ts'
import { entryOf } from './readEntry.ts'

test('the number of an inode may use all 64 bits, as on shares of the network', () => {
  const stats = Object.assign(lstatSync('/', { bigint: true }), { ino: -7977788276705969366n })
  const entry = entryOf(stats, { parentPath: '', name: '', disk: '/' }, readOwners())
  expect(entry.inode).toBe(10_468_955_797_003_582_250n)
})
