import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, isListed, pathOf } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'

function projects(): string {
  const root = testFolder()
  for (const project of ['a', 'b'])
    for (const path of ['cache/x', 'shots/1/cache', 'shots/2']) {
      mkdirSync(join(root, project, path), { recursive: true })
      writeFileSync(join(root, project, path, 'frame.exr'), 'exr')
      writeFileSync(join(root, project, path, 'frame.tmp'), 'temporary')
    }
  return root
}

test('ignored paths are left out with all below them', async () => {
  const { rows, counts } = await walked(
    orderOf(projects(), { ignoredPaths: ['/a/cache', '**/*.tmp', 'b/shots/?/cache'] }),
  )
  const paths = ['', '/a', '/a/shots', '/a/shots/1', '/a/shots/1/cache', '/a/shots/1/cache/frame.exr', '/a/shots/2']
  paths.push('/a/shots/2/frame.exr', '/b', '/b/cache', '/b/cache/x', '/b/cache/x/frame.exr', '/b/shots', '/b/shots/1')
  expect(rows.filter(isEntry).map(pathOf).sort()).toEqual([...paths, '/b/shots/2', '/b/shots/2/frame.exr'])
  expect(contradictions(rows)).toEqual([])
  expect(counts.bytes).toBe(4 * 3)
})

test('at and below index-folder-only paths files only count in their folder', async () => {
  const root = projects()
  const { rows, counts } = await walked(orderOf(root, { indexFolderOnlyPaths: ['/a/shots'] }))
  const below = rows.filter((row) => pathOf(row).startsWith('/a/shots'))
  expect(below.filter(isEntry).map(pathOf).sort()).toEqual(['/a/shots', '/a/shots/1', '/a/shots/1/cache', '/a/shots/2'])
  const end = below.filter(isListed).find((row) => pathOf(row) === '/a/shots/2')
  const { blocks } = statSync(join(root, 'a/shots/2/frame.exr'))
  expect(end).toMatchObject({ children: '0', files: '2', size: '12', allocated_size: String(2 * blocks * 512) })
  expect(contradictions(rows)).toEqual([])
  expect(counts.bytes).toBe(6 * 12)
})

test.each(['alone', 'ring', 'pool'] as const)('a quarantine is left out at any depth, %s', async (way) => {
  const root = projects()
  const before = await walked(orderOf(root), [], { way })
  for (const folder of ['', 'a/shots'])
    for (const path of ['run/a', 'run/.dataintell-quarantine']) {
      mkdirSync(join(root, folder, '.dataintell-quarantine', path), { recursive: true })
      writeFileSync(join(root, folder, '.dataintell-quarantine', path, 'frame.exr'), 'moved')
    }
  writeFileSync(join(root, 'b/.dataintell-quarantine'), '')
  const { rows, counts } = await walked(orderOf(root), [], { way })
  expect(rows.filter(isEntry).map(pathOf).sort()).toEqual(
    [...before.rows.filter(isEntry).map(pathOf), '/b/.dataintell-quarantine'].sort(),
  )
  expect(contradictions(rows)).toEqual([])
  expect(counts).toMatchObject({ bytes: before.counts.bytes, directories: before.counts.directories })
  const folderOnly = await walked(orderOf(root, { indexFolderOnlyPaths: ['/a'] }), [], { way })
  expect(folderOnly.counts.bytes).toBe(before.counts.bytes)
})

test('a quarantine can not be scanned on its own, nor be a storage', async () => {
  const root = projects()
  mkdirSync(join(root, '.dataintell-quarantine/run'), { recursive: true })
  const path = '/.dataintell-quarantine/run'
  await expect(walked(orderOf(root, { scannedPath: path }))).rejects.toThrow(`${root}${path} is in quarantine`)
  await expect(walked(orderOf(root + path))).rejects.toThrow(`${root}${path} is in quarantine`)
})

const mounts = execFileSync('find', ['/dev', '-mindepth', '1', '-type', 'd', '-printf', '%p %D\n'], {
  encoding: 'utf8',
})
const elsewhere = mounts.split('\n').filter((line) => line && Number(line.split(' ')[1]) !== statSync('/dev').dev)

test.skipIf(elsewhere.length === 0)('other file systems are listed, and only entered on request', async () => {
  const [mount = ''] = (elsewhere[0] ?? '').replace('/dev', '').split(' ')
  const apart = await walked(orderOf('/dev'))
  expect(apart.rows.filter(isListed).find((row) => pathOf(row) === mount)).toMatchObject({ children: '0' })
  expect(apart.rows.filter((row) => row.parent_path === `${mount}/`)).toEqual([])
  expect(contradictions(apart.rows)).toEqual([])
  const resumed = await walked(orderOf('/dev', { pending: [mount] }))
  expect(resumed.rows.map((row) => [row.kind, pathOf(row), row.children])).toEqual([['1', mount, '0']])
  const together = await walked(orderOf('/dev', { crossFileSystems: true }))
  expect(contradictions(together.rows)).toEqual([])
  await expect(walked(orderOf('/dev', { scannedPath: mount }))).rejects.toThrow(/is not included in this storage/)
})
