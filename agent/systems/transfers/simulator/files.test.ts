import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '#agent/simulator/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { createJob, jobOf, runJob, withFiles } from './testing.ts'

test.for([
  ['OVERWRITE', 'name 1', ['/incoming/a.mov'], 'new', 1],
  ['SKIP', 'name 1', ['/incoming/a.mov'], 'old', 0],
  ['RENAME', 'name 1', ['/incoming/a 1.mov', '/incoming/a.mov'], 'old', 0],
  ['RENAME', 'name (1)', ['/incoming/a (1).mov', '/incoming/a.mov'], 'old', 0],
  ['RENAME', 'suffix', ['/incoming/a.mov', '/incoming/a.mov.1'], 'old', 0],
] as const)('%s of an existing file (%s)', async ([conflictHandling, renamed, paths, content, written]) => {
  const { transfers, ask } = await withFiles({ readings: { renamed } })
  transfers.addFile('st-1', '/a.mov', 'new')
  transfers.addFile('st-2', '/incoming/a.mov', 'old')
  expect(await runJob(transfers, ask, { paths: ['/a.mov'], conflictHandling })).toMatchObject({
    state: 'SUCCEEDED',
    filesTotal: 1,
    filesDone: 1,
  })
  expect(transfers.paths('st-2')).toEqual(paths)
  expect(transfers.file('st-2', '/incoming/a.mov')?.content.toString()).toBe(content)
  expect(transfers.processed('st-2', '/incoming/a.mov').written).toBe(written)
})

test('skipped files may not count', async () => {
  const { transfers, ask } = await withFiles({ readings: { skippedFiles: 'omitted' } })
  transfers.addFile('st-2', '/incoming/a', 'old')
  const job = await runJob(transfers, ask, { paths: ['/a', '/b'], conflictHandling: 'SKIP', transferType: 'MOVE' })
  expect(job).toMatchObject({ state: 'SUCCEEDED', filesTotal: 1, filesDone: 1 })
  expect(transfers.paths('st-1')).toEqual(['/a', '/c'])
})

test('folders with the same name collide, unless the structure is kept', async () => {
  const { transfers, ask } = await withFiles()
  transfers.addFile('st-1', '/one/reel/clip', 'one')
  transfers.addFile('st-1', '/two/reel/clip', 'two')
  const folders = ['/one/reel', '/two/reel']
  await runJob(transfers, ask, { folders })
  expect(transfers.paths('st-2')).toEqual(['/incoming/reel/clip'])
  expect(transfers.file('st-2', '/incoming/reel/clip')?.content.toString()).toBe('two')
  await runJob(transfers, ask, { folders, keepFolderStructure: true, to: '/' })
  expect(transfers.paths('st-2')).toEqual(['/incoming/reel/clip', '/one/reel/clip', '/two/reel/clip'])
})

test('a move deletes each source after its copy, or all at the end', async () => {
  const { transfers, ask } = await withFiles()
  await createJob(ask, { paths: ['/a', '/b'], transferType: 'MOVE' })
  transfers.clock.advance(3_102)
  expect([transfers.paths('st-2'), transfers.paths('st-1')]).toEqual([['/incoming/a'], ['/a', '/b', '/c']])
  transfers.clock.advance(100)
  expect(transfers.paths('st-1')).toEqual(['/b', '/c'])
  transfers.clock.advance(60_000)
  expect(transfers.paths('st-1')).toEqual(['/c'])
  transfers.readings.moveDeletes = 'at the end'
  transfers.addFile('st-1', '/a')
  await createJob(ask, { paths: ['/a', '/c'], transferType: 'MOVE' })
  transfers.clock.advance(3_205)
  expect([transfers.paths('st-2').length, transfers.paths('st-1').length]).toEqual([3, 2])
  transfers.clock.advance(60_000)
  expect(transfers.paths('st-1')).toEqual([])
})

test('a source that changes after its copy stays', async () => {
  const { transfers, ask } = await withFiles({
    onFile: (storageId, path, step) => {
      if (step === 'write' && path === '/incoming/a') transfers.addFile('st-1', '/a', 'changed', start + 9)
      void storageId
    },
  })
  const job = await runJob(transfers, ask, { paths: ['/a', '/b'], transferType: 'MOVE' })
  expect(job).toMatchObject({ state: 'PARTIAL', filesDone: 1, filesFailed: 1, message: 'The source changed' })
  expect(transfers.paths('st-1')).toEqual(['/a', '/c'])
})

test('any step of a file fails, and too many failures end the job', async () => {
  const { transfers, ask } = await withFiles({ readings: { maxFailures: 2 } })
  transfers.failFile('st-1', '/a', 'read', 'Bad block')
  transfers.failFile('st-1', '/b', 'delete')
  const move = await runJob(transfers, ask, { paths: ['/a', '/b', '/c'], transferType: 'MOVE' })
  expect(move).toMatchObject({ state: 'PARTIAL', filesDone: 1, filesFailed: 2, message: 'Bad block' })
  expect(transfers.paths('st-1')).toEqual(['/a', '/b'])
  transfers.failFile('st-2', '/incoming/a', 'write')
  transfers.failFile('st-1', '/b', 'scan')
  const paths = ['/a', '/b', '/unknown']
  expect(await runJob(transfers, ask, { paths })).toMatchObject({ state: 'FAILED', message: 'Too many files failed' })
  expect(await runJob(transfers, ask, { paths: ['/a'] })).toMatchObject({ state: 'SUCCEEDED' })
})

test('a corrupted copy looks like a success', async () => {
  const { transfers, ask } = await withFiles()
  transfers.failFile('st-1', '/a', 'corrupt')
  expect(await runJob(transfers, ask, { paths: ['/a'] })).toMatchObject({ state: 'SUCCEEDED' })
  const [source, copy] = [transfers.file('st-1', '/a'), transfers.file('st-2', '/incoming/a')]
  expect(copy?.size).toBe(source?.size)
  expect(copy?.checksum).not.toBe(source?.checksum)
})

test('a file is not copied onto itself', async () => {
  const { transfers, ask } = await withFiles()
  const target = { storageId: 'st-1', name: 'root', path: '/', isDirectory: true }
  const job = await runJob(transfers, ask, { paths: ['/a'], target, transferType: 'MOVE' })
  expect(job).toMatchObject({ state: 'PARTIAL', message: 'Source and target are the same file' })
  expect(transfers.paths('st-1')).toEqual(['/a', '/b', '/c'])
})

test('a storage that is removed ends its job', async () => {
  const { transfers, ask } = await withFiles()
  await createJob(ask, { paths: ['/a'] })
  transfers.storages.delete('st-2')
  transfers.clock.advance(60_000)
  expect(await jobOf(ask)).toMatchObject({ state: 'FAILED', message: 'A storage was removed' })
})

test('files of folders of this machine are moved with their content and time', async () => {
  const { transfers, ask } = await withFiles()
  const [from, to] = [testFolder('from'), testFolder('to')]
  transfers.addStorage('st-1', { folder: from })
  transfers.addStorage('st-2', { folder: to })
  writeFileSync(join(from, 'clip'), 'the content')
  const { checksum, modifiedAt } = transfers.file('st-1', '/clip')!
  expect(await runJob(transfers, ask, { folders: ['/'], transferType: 'MOVE', to: '/in' })).toMatchObject({
    state: 'SUCCEEDED',
    bytesDone: 11,
  })
  expect([readFileSync(join(to, 'in/clip'), 'utf8'), existsSync(join(from, 'clip'))]).toEqual(['the content', false])
  expect(transfers.file('st-2', '/in/clip')).toMatchObject({ checksum, modifiedAt })
})
