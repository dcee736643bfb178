import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { IconikSimulator } from '../index.ts'
import { createFile, send, simulator } from '../testing.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A resumable session, and a call that sends a range of bytes. */
async function startSession(iconik: IconikSimulator) {
  const { file } = await createFile(iconik, { storage: 'GCS 1' })
  const { status, headers } = await send('POST', file.upload_url, '', { 'x-goog-resumable': 'start' })
  expect(status).toBe(201)
  const location = headers['location'] ?? ''
  const put = async (bytes: string, range?: string, url = location) => {
    const answer = await send('PUT', url, bytes, range === undefined ? {} : { 'Content-Range': `bytes ${range}` })
    return [answer.status, answer.headers['range']]
  }
  return { file, put, id: headers['x-guploader-uploadid'] }
}

const small = { behavior: { gcsChunkBytes: 4 } }

test('a file is sent at once, by either address of its session', async () => {
  const iconik = await simulator()
  const { file, put, id } = await startSession(iconik)
  expect(await put('hello', undefined, `${file.upload_url}&upload_id=${id}`)).toEqual([200, undefined])
  expect(iconik.files()[0]).toMatchObject({ stored: { bytes: 5, sha256: sha256('hello') }, uploadCount: 1 })
  expect(await put('', '*/5')).toEqual([200, undefined])
  expect((await send('POST', file.upload_url)).status).toBe(400)
  expect(await put('hello', undefined, `${file.upload_url}&upload_id=other`)).toEqual([404, undefined])
})

test('chunks continue after the range of the last answer', async () => {
  const iconik = await simulator(small)
  const { put } = await startSession(iconik)
  expect(await put('', '*/10')).toEqual([308, undefined])
  expect(await put('abcd', '0-3/10')).toEqual([308, 'bytes=0-3'])
  expect(await put('ijkl', '8-11/12')).toEqual([308, 'bytes=0-3'])
  iconik.shortenChunk(0)
  expect(await put('efgh', '4-7/10')).toEqual([308, 'bytes=0-3'])
  expect(await put('efgh', '4-7/*')).toEqual([308, 'bytes=0-7'])
  expect(await put('efgh', '4-7/10')).toEqual([308, 'bytes=0-7'])
  expect(await put('ij', '8-9/10')).toEqual([200, undefined])
  expect(iconik.files()[0]?.stored?.sha256).toBe(sha256('abcdefghij'))
})

test('a chunk that was cut keeps whole multiples, and one of another length is refused', async () => {
  const iconik = await simulator(small)
  const { put } = await startSession(iconik)
  for (const [bytes, range] of [
    ['abc', '0-2/10'],
    ['abcd', '0-4/10'],
    ['abcd', '0-3'],
    ['abcd', '3'],
  ] as const)
    expect(await put(bytes, range)).toEqual([400, undefined])
  iconik.cutUpload('gcs.putChunk', 6)
  await expect(put('abcdefgh', '0-7/10')).rejects.toThrow('socket hang up')
  expect(await put('', '*/10')).toEqual([308, 'bytes=0-3'])
  expect(await put('efghij', '4-9/10')).toEqual([200, undefined])
  expect(iconik.files()[0]?.stored?.sha256).toBe(sha256('abcdefghij'))
})

test('a session ends after a week', async () => {
  const iconik = await simulator()
  const { put } = await startSession(iconik)
  iconik.clock.advance(7 * 86_400_000 + 1)
  expect(await put('hello')).toEqual([403, undefined])
})
