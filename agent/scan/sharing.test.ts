import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScanOrder } from '#events/scans.ts'
import { testFolder } from '#server/platform/testing.ts'
import { isEntry, pathOf } from '../testing/decodeRows.ts'
import { orderOf, walked } from '../testing/walked.ts'

/** Folders in each other, with files at the bottom, in each of these. */
function makeTree(root: string, folders: string[]): void {
  for (const folder of folders)
    for (const below of ['a', 'b', 'c', 'd', 'e', 'f']) {
      mkdirSync(join(root, folder, below, 'deep/deeper'), { recursive: true })
      writeFileSync(join(root, folder, below, 'deep/file'), 'four')
    }
}

/** In how many batches, each of which is one thread's, what lies below each folder of a level came. */
async function batchesOf(level: number, order: ScanOrder): Promise<number[]> {
  const { rows } = await walked(order)
  const below = rows.filter((row) => isEntry(row) && pathOf(row).split('/').length > level + 1)
  const folders = Map.groupBy(below, (row) =>
    pathOf(row)
      .split('/', level + 1)
      .join('/'),
  )
  return [...folders.values()].map((rows) => new Set(rows.map(({ batch }) => batch)).size)
}

test('where threads share the first level alone, each of its folders is read by one thread to its end', async () => {
  const root = testFolder()
  makeTree(root, ['1', '2', '3', '4', '5', '6', '7', '8'])
  const order = orderOf(root, { threads: 3, sharing: { afterFiles: 0, toDepth: 1 } })
  expect(await batchesOf(1, order)).toEqual(Array(8).fill(1))
})

test('in a scan of a part the first level is that below the part', async () => {
  const root = testFolder()
  makeTree(root, ['part'])
  const order = orderOf(root, { scannedPath: '/part', threads: 3, sharing: { afterFiles: 0, toDepth: 2 } })
  expect(await batchesOf(2, order)).toEqual(Array(6).fill(1))
})
