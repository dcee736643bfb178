import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, isUnreadable, pathOf } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { walkedWithoutRights } from '#agent/testing/walkedWithoutRights.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** A tree without permissions. They are restored at the end, so that it can be removed. */
function lockedTree(): string {
  const root = testFolder()
  const locked = { 'no rights': 0o000, 'only to enter': 0o111, 'only to list': 0o444 }
  for (const [name, mode] of Object.entries(locked)) {
    mkdirSync(join(root, name, 'folder'), { recursive: true })
    writeFileSync(join(root, name, 'file'), 'some bytes')
    chmodSync(join(root, name), mode)
    atEndOfFile(() => chmodSync(join(root, name), 0o755))
  }
  writeFileSync(join(root, 'readable'), 'four')
  return root
}

test('unreadable paths are listed and marked, and the rest is scanned', () => {
  const { rows, unreadable, counts } = walkedWithoutRights(lockedTree())
  expect(rows.filter(isUnreadable).map(pathOf).sort()).toEqual(['/no rights', '/only to enter', '/only to list/folder'])
  expect(unreadable.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: '/no rights', error: 'EACCES: permission denied' },
    { path: '/only to enter', error: 'EACCES: permission denied' },
    { path: '/only to list/file', error: 'EACCES: permission denied' },
    { path: '/only to list/folder', error: 'EACCES: permission denied' },
  ])
  expect(counts).toMatchObject({ unreadable: 4, bytes: 4 })
  expect(contradictions(rows)).toEqual([])
})

test('a file whose details are kept back is of unknown size', () => {
  const { rows } = walkedWithoutRights(lockedTree())
  const entries = rows.filter(isEntry).filter(({ parent_path }) => parent_path === '/only to list/')
  expect(entries.map(({ name, is_directory, size }) => [name, is_directory, size]).sort()).toEqual([
    ['file', '0', '-1'],
    ['folder', '1', '-1'],
  ])
})

test('files whose details are kept back count where only folders are recorded', () => {
  const { rows, unreadable } = walkedWithoutRights(lockedTree(), { indexFolderOnlyPaths: ['/only to list'] })
  const end = rows.find((row) => !isEntry(row) && pathOf(row) === '/only to list')
  expect(end).toMatchObject({ kind: '1', children: '1', files: '1', size: '0' })
  expect(unreadable.map(({ path }) => path)).toContain('/only to list/file')
})

test('a storage that cannot be listed fails the scan and says why', async () => {
  const root = lockedTree()
  expect(walkedWithoutRights(join(root, 'no rights')).failed).toMatch(/cannot be listed: EACCES/)
  await expect(walked(orderOf(join(root, 'not there')))).rejects.toThrow(/ENOENT|does not exist/)
})
