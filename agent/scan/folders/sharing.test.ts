import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { isEntry, pathOf } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'

/** Folders in each other, with files at the bottom, in each of these. */
function makeTree(root: string, folders: string[]): void {
  for (const folder of folders)
    for (const below of ['a', 'b', 'c', 'd', 'e', 'f']) {
      mkdirSync(join(root, folder, below, 'deep/deeper'), { recursive: true })
      writeFileSync(join(root, folder, below, 'deep/file'), 'four')
    }
}

/** Number of batches with entries below each first-level folder. Each batch is of one thread. */
async function batchesOf(order: ScanOrder): Promise<number[]> {
  const { rows } = await walked(order)
  const below = rows.filter((row) => isEntry(row) && pathOf(row).split('/').length > 2)
  const folders = Map.groupBy(below, (row) => pathOf(row).split('/')[1])
  return [...folders.values()].map((rows) => new Set(rows.map(({ batch }) => batch)).size)
}

test('where threads share the first level alone, each of its folders is read by one thread to its end', async () => {
  const root = testFolder()
  makeTree(root, ['1', '2', '3', '4', '5', '6', '7', '8'])
  const order = orderOf(root, { threads: 3, sharing: { afterFiles: 0, toDepth: 1 } })
  expect(await batchesOf(order)).toEqual(Array(8).fill(1))
})
