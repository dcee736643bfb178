import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, createFile, elementOf, send, simulator } from '../testing.ts'

export const hash = (algorithm: string, bytes: string | Buffer) => createHash(algorithm).update(bytes).digest('hex')

test('an upload address works until it expires, and only as it was signed', async () => {
  const iconik = await simulator()
  const { file, path } = await createFile(iconik)
  const put = (url: string) => send('PUT', url, 'hello')
  const wrong = await put(file.upload_url.replace(/expires=\d/, 'expires=9'))
  expect([wrong.status, elementOf(wrong.body, 'Code')]).toEqual([403, 'SignatureDoesNotMatch'])
  expect((await put(file.upload_url.replace(/signature=.*/, 'signature=00'))).status).toBe(403)
  expect((await send('GET', file.upload_url)).status).toBe(405)
  iconik.clock.advance(3_600_001)
  const expired = await put(file.upload_url)
  expect([expired.status, elementOf(expired.body, 'Message')]).toEqual([403, 'Request has expired'])
  expect(iconik.files()[0]?.stored).toBeUndefined()
  const again = (await ask(iconik, `GET ${path}`)).body.upload_url
  expect((await put(again)).headers['etag']).toBe(`"${hash('md5', 'hello')}"`)
  const sums = { md5: hash('md5', 'hello'), sha1: hash('sha1', 'hello'), sha256: hash('sha256', 'hello') }
  expect(iconik.files()).toMatchObject([{ status: 'OPEN', uploadCount: 1, stored: { bytes: 5, ...sums } }])
  iconik.readings.fileShowsUploadUrl = false
  expect((await ask(iconik, `GET ${path}`)).body.upload_url).toBeUndefined()
})

test('headers of the API at the upload host are noticed', async () => {
  const iconik = await simulator()
  const { file } = await createFile(iconik)
  await send('PUT', file.upload_url, 'a')
  expect(iconik.leaks()).toEqual([])
  await send('PUT', file.upload_url, 'a', { 'App-ID': iconik.appId })
  expect(iconik.leaks()).toMatchObject([{ call: 's3.putObject', host: 'upload' }])
})

test('an upload fails, loses its answer, or is cut in the middle', async () => {
  const iconik = await simulator()
  const { file, asset } = await createFile(iconik)
  const put = () => send('PUT', file.upload_url, 'hello'.repeat(10_000))
  iconik.faults.failNext('s3.putObject', 500)
  expect((await put()).status).toBe(500)
  iconik.cutUpload('s3.putObject', 1_000)
  await expect(put()).rejects.toThrow('socket hang up')
  expect(iconik.files()[0]?.stored).toBeUndefined()
  iconik.faults.loseAnswer('s3.putObject')
  await expect(put()).rejects.toThrow('socket hang up')
  expect(iconik.files()[0]?.stored?.bytes).toBe(50_000)
  await ask(iconik, `DELETE assets/v1/assets/${asset.id}/`)
  expect((await put()).status).toBe(404)
})

test('Azure takes a file at once up to its limit, and larger ones in blocks', async () => {
  const iconik = await simulator({ behavior: { azureMaxBytes: 10 } })
  const { file } = await createFile(iconik, { storage: 'AZURE 1' })
  const url: string = file.upload_url
  const type = { 'x-ms-blob-type': 'BlockBlob' }
  expect((await send('PUT', url, 'hello')).status).toBe(400)
  expect((await send('PUT', url, 'hello', type)).status).toBe(201)
  const large = await send('PUT', url, 'hello world', type)
  expect([large.status, elementOf(large.body, 'Code')]).toEqual([413, 'RequestBodyTooLarge'])
  const putBlock = async (id: string, bytes: string) =>
    (await send('PUT', `${url}&comp=block&blockid=${encodeURIComponent(id)}`, bytes)).status
  const [one, two] = ['b1', 'b2'].map(btoa) as [string, string]
  expect([await putBlock(two, 'world'), await putBlock(one, 'hello '), await putBlock('?', 'a')]).toEqual([
    201, 201, 400,
  ])
  const putList = async (...ids: string[]) => {
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join('')
    return (await send('PUT', `${url}&comp=blocklist`, `<BlockList>${list}</BlockList>`)).status
  }
  expect([await putList(one, btoa('b3')), await putList(one, two)]).toEqual([400, 201])
  expect(iconik.files()[0]).toMatchObject({ uploadCount: 2, stored: { bytes: 11, md5: hash('md5', 'hello world') } })
})
