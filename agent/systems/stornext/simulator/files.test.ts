import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { ask, askAndWait, infoOf, resultOf, root, simulator, withFiles } from './testing.ts'

test('a file goes to tape, leaves the disk, and returns', async () => {
  const stornext = await withFiles()
  const file = `${root}/a`
  const states = [(await infoOf(stornext, file)).location]
  for (const command of ['fsstore', 'fsrmdiskcopy', 'fsretrieve']) {
    expect(resultOf(await askAndWait(stornext, `file/${command}`, { file }))).toMatchObject({
      commandStatus: 'completed',
    })
    states.push((await infoOf(stornext, file)).location)
  }
  expect(states).toEqual(['DISK', 'DISK AND TAPE', 'TAPE', 'DISK AND TAPE'])
  expect(stornext.processed(file)).toEqual({ store: 1, retrieve: 1, relocate: 0, truncate: 1 })
  expect(stornext.files.get(file)?.copies).toMatchObject([{ mediaId: 'A00001L8' }])
})

test('a file of a class with two copies is on two tapes, with a checksum for each copy', async () => {
  const stornext = await simulator()
  stornext.addClass('safe', { directories: [root], copies: 2 })
  const file = `${root}/a`
  stornext.addFile(file, { size: 300e6 })
  await askAndWait(stornext, 'file/fsstore', { file })
  const info = await infoOf(stornext, file, { checksum: 'true' })
  expect(info).toMatchObject({ existingCopies: 2, targetCopies: 2, class: 'safe' })
  expect(info.medias).toEqual([{ mediaId: 'A00001L8', copy: 1 }, { mediaId: 'A00002L8', copy: 2 }, { summary: '2' }])
  const [first, second] = info.checksums
  expect([first.copyId, second.copyId, first.fileSegment]).toEqual([1, 2, 1])
  expect(first.checksumValue).toBe(second.checksumValue)
})

test('a disk copy is only removed when all tape copies exist', async () => {
  const stornext = await withFiles()
  const { body } = await askAndWait(stornext, 'file/fsrmdiskcopy', { file: `${root}/a` })
  expect(body.statuses[0].statusText).toContain('Not all copies')
  expect((await infoOf(stornext, `${root}/a`)).location).toBe('DISK')
})

test('messages take the place of tapes and checksums, and empty files have no copies', async () => {
  const stornext = await withFiles()
  stornext.addFile(`${root}/empty`, { size: 0 })
  await askAndWait(stornext, 'file/fsstore', { file: `${root}/empty` })
  expect(await infoOf(stornext, `${root}/a`, { checksum: 'true' })).toMatchObject({
    checksums: [{ message: 'unknown' }],
  })
  expect(await infoOf(stornext, `${root}/empty`)).toMatchObject({
    existingCopies: 0,
    targetCopies: 0,
    medias: [{ message: 'None' }],
    location: 'DISK',
  })
})

test('changed, deleted, foreign and unknown files, and those without a class, have a status each', async () => {
  const stornext = await withFiles()
  const paths = ['a', 'b', 'foreign', 'unknown'].map((name) => `${root}/${name}`)
  const [a = '', b = '', foreign = '', unknown = ''] = paths
  stornext.addFile(foreign, { isForeign: true })
  stornext.addFile('/other/file')
  await askAndWait(stornext, 'file/fsstore', { file: [a, b] })
  stornext.files.change(a, { size: 5 })
  stornext.files.remove(b)
  expect(await infoOf(stornext, a)).toMatchObject({ existingCopies: 0, location: 'DISK', fileSize: 5 })
  expect((await infoOf(stornext, foreign)).location).toBe('FOREIGN SYSTEM')
  const info = (await ask(stornext, 'file/fsfileinfo', { file: [a, b, unknown] })).body
  expect(info.fileInfos).toHaveLength(1)
  expect(info.statuses).toHaveLength(3)
  const { body } = await askAndWait(stornext, 'file/fsretrieve', { file: [a, b, foreign, unknown] })
  expect(body.statuses.map(({ statusText }: { statusText: string }) => statusText)).toEqual([
    `File ${b} was deleted. Use fsrecover.`,
    `File ${foreign} is on a foreign system.`,
    `File ${unknown} does not exist.`,
    'fsretrieve: 1 out of 4 files were successful.',
  ])
  const noClass = await askAndWait(stornext, 'file/fsstore', { file: '/other/file' })
  expect(noClass.body.statuses[0].statusText).toContain('not in a directory of a policy class')
})

test('files in a folder of this machine keep their content on tape', async () => {
  const folder = testFolder('snfs')
  const stornext = await simulator({ folders: { '/stornext/snfs1': folder } })
  writeFileSync(join(folder, 'clip'), 'the content')
  const before = statSync(join(folder, 'clip'))
  const file = '/stornext/snfs1/clip'
  await askAndWait(stornext, 'file/fsstore', { file })
  await askAndWait(stornext, 'file/fsrmdiskcopy', { file })
  expect(readFileSync(join(folder, 'clip'), 'utf8')).toBe('\0'.repeat(11))
  expect(Math.abs(statSync(join(folder, 'clip')).mtimeMs - before.mtimeMs)).toBeLessThan(2)
  expect((await infoOf(stornext, file)).location).toBe('TAPE')
  await askAndWait(stornext, 'file/fsretrieve', { file })
  expect(readFileSync(join(folder, 'clip'), 'utf8')).toBe('the content')
  writeFileSync(join(folder, 'clip'), 'other')
  expect(await infoOf(stornext, file)).toMatchObject({ existingCopies: 0, fileSize: 5 })
  rmSync(join(folder, 'clip'))
  expect(await infoOf(stornext, file)).toBeUndefined()
})
