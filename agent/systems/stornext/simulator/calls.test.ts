import { expect, test } from 'vitest'
import { ask, askAndWait, infoOf, resultOf, root, simulator, withFiles } from './testing.ts'

test('responses are text, unless JSON or XML is requested', async () => {
  const stornext = await withFiles()
  const file = `${root}/a`
  const as = (format: string) => ask(stornext, 'file/fsfileinfo', { file, format })
  expect((await as('json')).body.fileInfos[0]).toMatchObject({ fileName: file, fileSize: 300e6 })
  const text = await fetch(`${stornext.url}/file/fsfileinfo?file=${file}&username=dataintell&password=planted-password`)
  expect(await text.text()).toContain('location: DISK\n')
  const xml = await as('xml')
  expect(xml.headers['content-type']).toContain('application/xml')
  expect(xml.body).toContain('<fileInfos><fileName>/stornext/snfs1/proj/a</fileName>')
  expect((await as('yaml')).body).toContain('commandStatus: failed')
})

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
  expect(await text('file/fsstore', { file: `${root}/a`, recursive: 'true' })).toBe('200 Invalid parameter: recursive.')
  expect(await text('file/fsstore', { file: `${root}/a`, directory: root })).toBe('200 Invalid parameter: file.')
  expect(await text('file/fsstore', { file: `${root}/a`, copies: 'two' })).toBe('200 Invalid parameter: copies.')
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

test('classes of directories are shown, and a directory without a class fails', async () => {
  const stornext = await simulator()
  stornext.addClass('proxy', { directories: ['/stornext/snfs1/proxy'], copies: 2 })
  const dirClass = async (directory: string) => (await ask(stornext, 'policy/fsdirclass', { directory })).body
  expect(await dirClass(root)).toMatchObject({ class: 'media' })
  expect(await dirClass('/stornext/snfs1/proxy/x')).toMatchObject({ class: 'proxy' })
  expect(resultOf({ body: await dirClass('/stornext/snfs10') })).toMatchObject({ commandStatus: 'failed' })
  stornext.readings.directoryClass = 'list'
  expect(await dirClass(root)).toMatchObject({ dirClasses: [{ directory: root, class: 'media' }] })
  const { body } = await ask(stornext, 'policy/fsclassinfo', { policy: 'proxy' })
  expect(body.classes).toEqual([{ class: 'proxy', copies: 2, checksum: true }])
})

test('tapes are described with their files, and quotas of directories are listed', async () => {
  const stornext = await withFiles()
  await askAndWait(stornext, 'file/fsstore', { file: [`${root}/b`, `${root}/a`] })
  const { body } = await ask(stornext, 'media/fsmedinfo', { media: ['A00001L8', 'X'], verbose: 'true' })
  expect(body.medias).toEqual([
    expect.objectContaining({ mediaId: 'A00001L8', files: [{ path: `${root}/b` }, { path: `${root}/a` }] }),
  ])
  expect(body.statuses.map(({ statusText }: { statusText: string }) => statusText)).toEqual([
    'Media X is unknown.',
    'Command Successful.',
  ])
  const media = Array.from({ length: 65 }, (_, i) => `M${i}`)
  expect(resultOf(await ask(stornext, 'media/fsmedinfo', { media }))).toMatchObject({ commandStatus: 'failed' })
  const location = (await ask(stornext, 'file/fsfiletapeloc', { file: `${root}/a` })).body.fileInfo
  expect(location).toMatchObject({ startBlock: 287, libraryId: 'i6000' })
  const list = (await ask(stornext, 'media/fsmedlist/state', { state: 'available' })).body
  expect(list.classes[0].available.medias).toHaveLength(3)
  const quota = await ask(stornext, 'quota/snquota', { fsname: 'snfs1', action: 'listall' })
  expect(quota.body.directoryQuotas[0]).toMatchObject({ type: 'dir' })
})
