import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { ask, askAndWait, infoOf, resultOf, root, simulator, withFiles } from './testing.ts'

const a = `${root}/a`
const newfile = '/stornext/snfs1/restored/a'

async function withStored(readings = {}) {
  const stornext = await withFiles({ readings })
  await askAndWait(stornext, 'file/fsstore', { file: a })
  return { stornext, relocate: () => askAndWait(stornext, 'file/fsretrieve/new', { file: a, newfile }) }
}

test('a file is brought back to another path, if the folder exists', async () => {
  const { stornext, relocate } = await withStored()
  const { body } = await relocate()
  expect(body.statuses[0].statusText).toBe(`The directory of ${a} does not exist.`)
  stornext.files.addDirectory('/stornext/snfs1/restored')
  expect(resultOf(await relocate())).toMatchObject({ commandStatus: 'completed' })
  expect(await infoOf(stornext, newfile)).toMatchObject({ location: 'DISK', fileSize: 300e6, existingCopies: 0 })
  expect(stornext.processed(a).relocate).toBe(1)
})

test('a service creates the folder', async () => {
  const { stornext, relocate } = await withStored({ retrieveNew: 'creates folder' })
  await relocate()
  expect(await infoOf(stornext, newfile)).toMatchObject({ location: 'DISK' })
})

test('an existing target is refused or replaced', async () => {
  const { stornext, relocate } = await withStored()
  stornext.addFile(newfile, { size: 5 })
  expect((await relocate()).body.statuses[0].statusText).toBe(`File ${a} already exists.`)
  expect((await infoOf(stornext, newfile)).fileSize).toBe(5)
  stornext.readings.existingTarget = 'replace'
  await relocate()
  expect((await infoOf(stornext, newfile)).fileSize).toBe(300e6)
})

test('a service without relocation answers with status 404 or a failure', async () => {
  const { stornext, relocate } = await withStored({ retrieveNew: 'unavailable' })
  expect((await relocate()).status).toBe(404)
  stornext.readings.unknownCall = 'failed'
  expect((await relocate()).body.statuses[0].statusText).toBe('Unknown command: file/fsretrieve/new.')
})

test('a file without a copy on tape, or with a relative new path, is refused', async () => {
  const { stornext } = await withStored({ retrieveNew: 'creates folder' })
  const noCopy = await askAndWait(stornext, 'file/fsretrieve/new', { file: `${root}/b`, newfile })
  expect(noCopy.body.statuses[0].statusText).toBe(`File ${root}/b has no copy on media.`)
  const relative = await ask(stornext, 'file/fsretrieve/new', { file: a, newfile: 'a' })
  expect(relative.body.statuses[0].statusText).toBe('Invalid parameter: newfile.')
})

test('a relocated file is written to a folder of this machine', async () => {
  const folder = testFolder('snfs')
  const stornext = await simulator({ folders: { '/stornext/snfs1': folder } })
  writeFileSync(join(folder, 'clip'), 'the content')
  const relocate = () =>
    askAndWait(stornext, 'file/fsretrieve/new', { file: '/stornext/snfs1/clip', newfile: '/stornext/snfs1/new/clip' })
  await askAndWait(stornext, 'file/fsstore', { file: '/stornext/snfs1/clip' })
  await relocate()
  expect(existsSync(join(folder, 'new'))).toBe(false)
  mkdirSync(join(folder, 'new'))
  await relocate()
  expect(readFileSync(join(folder, 'new/clip'), 'utf8')).toBe('the content')
})
