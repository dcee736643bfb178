import { expect, test } from 'vitest'
import { ask, askAndWait, infoOf, root, simulator, withFiles } from './testing.ts'

test('upper-case paths, other methods and other types of bodies are refused', async () => {
  const stornext = await withFiles()
  expect((await ask(stornext, 'file/fsFileInfo', { file: `${root}/a` })).status).toBe(404)
  expect((await ask(stornext, 'File/fsfileinfo', { file: `${root}/a` })).status).toBe(404)
  expect((await ask(stornext, 'system/info', {}, { method: 'DELETE' })).status).toBe(405)
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  expect((await ask(stornext, 'system/info', {}, json)).status).toBe(415)
})

test('a file may be repeated, in a query or in a form, up to the limit', async () => {
  const stornext = await withFiles()
  const file = ['a', 'b', 'c'].map((name) => `${root}/${name}`)
  for (const method of ['GET', 'POST'])
    expect((await ask(stornext, 'file/fsfileinfo', { file }, { method })).body.fileInfos).toHaveLength(3)
  const many = Array.from({ length: 41 }, (_, i) => `${root}/${i}`)
  expect((await ask(stornext, 'file/fsfileinfo', { file: many }, { method: 'POST' })).status).toBe(414)
  const long = Array.from({ length: 30 }, (_, i) => `${root}/${'x'.repeat(200)}${i}`)
  expect((await ask(stornext, 'file/fsfileinfo', { file: long })).status).toBe(414)
  expect((await ask(stornext, 'file/fsfileinfo', { file: long }, { method: 'POST' })).status).toBe(200)
  Object.assign(stornext.readings, { maxFiles: Infinity, maxUrlBytes: Infinity })
  expect((await ask(stornext, 'file/fsfileinfo', { file: many })).status).toBe(200)
})

test('unknown, missing, repeated and invalid parameters fail with status 200', async () => {
  const stornext = await withFiles()
  const text = async (call: string, parameters: Record<string, string | string[]>) => {
    const { status, body } = await ask(stornext, call, parameters)
    return `${status} ${body.statuses[0].statusText}`
  }
  expect(await text('file/fsfileinfo', { files: 'a' })).toBe('200 Invalid parameter: files.')
  expect(await text('file/fsfileinfo', {})).toBe('200 Invalid parameter: file.')
  expect(await text('file/fsfiletapeloc', { file: ['/a', '/b'] })).toBe('200 Invalid parameter: file.')
  expect(await text('file/fsstore', { file: `${root}/a`, mode: 'later' })).toBe('200 Invalid parameter: mode.')
})

test('names with odd characters are kept', async () => {
  const stornext = await simulator()
  for (const name of ['a b', '50% + #?&=', "it's \\ :", 'ü e\u0301 🎬']) {
    const path = `${root}/${name}`
    stornext.addFile(path)
    for (const method of ['GET', 'POST'])
      expect((await ask(stornext, 'file/fsfileinfo', { file: path }, { method })).body.fileInfos[0].fileName).toBe(path)
  }
})

test('dates, numbers and the word for tape have their variants', async () => {
  const stornext = await withFiles()
  const path = `${root}/a`
  await askAndWait(stornext, 'file/fsstore', { file: path })
  expect(await infoOf(stornext, path)).toMatchObject({
    lastModificationDateString: '21-nov-2026 10:00:00',
    location: 'DISK AND TAPE',
    existingCopies: 1,
  })
  Object.assign(stornext.readings, { dates: 'ISO', numbers: 'text', tapeWord: 'ARCHIVE' })
  expect(await infoOf(stornext, path)).toMatchObject({
    lastModificationDateString: '2026-11-21T10:00:00',
    location: 'DISK AND ARCHIVE',
    existingCopies: '1',
    medias: [{ mediaId: 'A00001L8', copy: '1' }, { summary: '1' }],
  })
})
