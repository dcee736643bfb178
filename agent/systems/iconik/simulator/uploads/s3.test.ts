import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { IconikSimulator } from '../index.ts'
import { ask, createFile, elementOf, send, simulator } from '../testing.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** A started multipart upload, with its calls. */
async function startUpload(iconik: IconikSimulator) {
  const { file, path } = await createFile(iconik)
  const uploadId = elementOf((await send('POST', file.multipart_upload_url)).body, 'UploadId') ?? ''
  const urlOf = async (type: string, name: string, query = '') =>
    (await ask(iconik, `GET ${path}multipart_url/?upload_id=${uploadId}&type=${type}${query}`)).body[name]
  const listUrls = (query: string) => ask(iconik, `GET ${path}multipart_url/part/?upload_id=${uploadId}&${query}`)
  const putPart = async (number: number, bytes: string) => {
    const { url } = (await listUrls(`parts_num=${number}&per_page=100`)).body.objects[number - 1]
    return (await send('PUT', url, bytes)).headers['etag']
  }
  const complete = async (parts: [number, string | undefined][]) => {
    const list = parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
    const url = await urlOf('complete_url', 'complete_url')
    const { status, body } = await send(
      'POST',
      url,
      `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
    )
    return [status, elementOf(body, 'Code')]
  }
  return { path, uploadId, urlOf, listUrls, putPart, complete }
}

const small = { behavior: { s3MinPartBytes: 5 } }

test('parts in any order become a file', async () => {
  const iconik = await simulator(small)
  const { putPart, complete, urlOf } = await startUpload(iconik)
  const second = await putPart(2, 'abc')
  await putPart(1, 'wrong')
  const first = await putPart(1, 'hello ')
  expect(first).toBe(`"${md5('hello ')}"`)
  const [url] = await urlOf('list_parts_url', 'list_parts_url', '&max_part_number=1000')
  expect((await send('GET', url)).body).toContain(
    `<Part><PartNumber>2</PartNumber><ETag>&quot;${md5('abc')}&quot;</ETag>`,
  )
  expect(await urlOf('list_parts_url', 'list_parts_url', '&max_part_number=1001')).toHaveLength(2)
  expect(iconik.openUploads()).toBe(1)
  expect(
    await complete([
      [1, first],
      [2, second],
    ]),
  ).toEqual([200, undefined])
  expect(iconik.files()[0]?.stored).toMatchObject({ bytes: 9, md5: md5('hello abc') })
  expect(iconik.openUploads()).toBe(0)
})

test('a completion needs the right parts, in order and of sufficient size', async () => {
  const iconik = await simulator()
  const { putPart, complete } = await startUpload(iconik)
  const [first, second] = [await putPart(1, 'hello'), await putPart(2, 'abc')]
  expect(
    await complete([
      [1, first],
      [2, '"00"'],
    ]),
  ).toEqual([400, 'InvalidPart'])
  expect(
    await complete([
      [1, first],
      [3, second],
    ]),
  ).toEqual([400, 'InvalidPart'])
  expect(
    await complete([
      [2, second],
      [1, first],
    ]),
  ).toEqual([400, 'InvalidPartOrder'])
  expect(await complete([])).toEqual([400, 'MalformedXML'])
  expect(
    await complete([
      [1, first],
      [2, second],
    ]),
  ).toEqual([400, 'EntityTooSmall'])
  iconik.faults.failNext('s3.complete', 200, '<Error><Code>InternalError</Code></Error>')
  expect(await complete([[1, first]])).toEqual([200, 'InternalError'])
  expect(iconik.files()[0]?.stored).toBeUndefined()
})

test('a completion whose answer was lost is not found again, or succeeds again', async () => {
  const iconik = await simulator(small)
  const { putPart, complete } = await startUpload(iconik)
  const parts: [number, string | undefined][] = [[1, await putPart(1, 'hello')]]
  iconik.faults.loseAnswer('s3.complete')
  await expect(complete(parts)).rejects.toThrow('socket hang up')
  expect(await complete(parts)).toEqual([404, 'NoSuchUpload'])
  iconik.readings.s3CompletedAgain = 'success'
  expect(await complete(parts)).toEqual([200, undefined])
  expect(iconik.files()[0]).toMatchObject({ uploadCount: 1, stored: { bytes: 5 } })
})

test('addresses of parts are listed in pages or requested by number, and expire', async () => {
  const iconik = await simulator()
  const { path, uploadId, listUrls } = await startUpload(iconik)
  const page = (await listUrls('parts_num=250&per_page=100&page=3')).body
  expect([page.pages, page.objects.length, page.objects[0].number]).toEqual([3, 50, 201])
  expect([(await listUrls('parts_num=10001')).status, (await listUrls('parts_num=1&per_page=101')).status]).toEqual([
    400, 400,
  ])
  const sign = async (number: number) => {
    const body = { upload_id: uploadId, parts: [{ part_number: number }] }
    return ask(iconik, `POST ${path}multipart_url/s3/part/`, { body })
  }
  const { url } = (await sign(7)).body.parts[0]
  expect([(await sign(10_001)).status, (await sign(0)).status]).toEqual([400, 400])
  iconik.readings.s3PartsProperty = 'objects'
  expect((await sign(7)).body.objects[0].part_number).toBe(7)
  expect((await send('PUT', url, 'a')).status).toBe(200)
  expect((await send('PUT', url.replace('partNumber=7', 'partNumber=8'), 'a')).status).toBe(403)
  iconik.clock.advance(3_600_001)
  expect((await send('PUT', url, 'a')).status).toBe(403)
})

test('uploads are aborted by their address, or by a cleanup of the file', async () => {
  const iconik = await simulator()
  const one = await startUpload(iconik)
  await one.putPart(1, 'a')
  expect((await send('DELETE', await one.urlOf('abort_url', 'abort_url'))).status).toBe(204)
  const two = await startUpload(iconik)
  await two.putPart(1, 'a')
  expect(iconik.openUploads()).toBe(1)
  expect((await ask(iconik, `POST ${two.path}multipart/cleanup/`)).status).toBe(204)
  expect([iconik.openUploads(), await two.complete([[1, 'a']])]).toEqual([0, [404, 'NoSuchUpload']])
  const { path } = await createFile(iconik, { storage: 'GCS 1' })
  expect((await ask(iconik, `GET ${path}multipart_url/?upload_id=a&type=complete_url`)).status).toBe(400)
})
