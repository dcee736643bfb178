import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, totals } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'

/** Folders with a file each, all in one folder. */
function treeOf(folders: number): string {
  const root = testFolder()
  for (let i = 0; i < folders; i++) {
    mkdirSync(join(root, `only/${i}`), { recursive: true })
    writeFileSync(join(root, `only/${i}/file`), 'four')
  }
  return root
}

test('a thread of a hybrid scan passes folders to others after a number of files, but none that are too deep', async () => {
  const root = treeOf(60)
  // Each thread that walked anything sends a batch of its own.
  const threads = async (afterFiles: number, toDepth: number) => {
    const { rows, batches } = await walked(orderOf(root, { sharing: { afterFiles, toDepth } }))
    expect([totals(rows), contradictions(rows)]).toEqual([{ files: 60, folders: 62, bytes: 240 }, []])
    return batches
  }
  expect(await threads(0, 0)).toBe(2)
  expect(await threads(61, 0)).toBe(1)
  expect(await threads(30, 0)).toBe(2)
  expect(await threads(0, 1)).toBe(1)
  expect(await threads(0, 2)).toBe(2)
})

test('a scan without owners leaves out the names of owners and groups', async () => {
  const { rows } = await walked(orderOf(treeOf(1), { withoutOwners: true }))
  expect(rows.filter(isEntry).map(({ owner, group }) => owner + group)).toEqual(['', '', '', ''])
})
