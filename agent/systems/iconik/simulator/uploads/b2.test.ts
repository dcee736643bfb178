import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, createFile, send, simulator } from '../testing.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

test('a small file needs its authorization, name and checksum', async () => {
  const iconik = await simulator()
  const { file, path } = await createFile(iconik, { storage: 'B2 1', name: 'ä b.mov' })
  const headers = {
    Authorization: file.upload_credentials.authorizationToken,
    'X-Bz-File-Name': encodeURIComponent(file.upload_filename),
    'X-Bz-Content-Sha1': sha1('hello'),
    'Content-Type': 'b2/x-auto',
  }
  const put = async (changes = {}, url = file.upload_url) => {
    const { status, body } = await send('POST', url, 'hello', { ...headers, ...changes })
    return [status, body.code]
  }
  expect(file.upload_filename).toBe(`proj/day1/${file.id}_ä b.mov`)
  expect(await put({ Authorization: 'other' })).toEqual([401, 'bad_auth_token'])
  for (const changes of [
    { 'X-Bz-File-Name': 'b.mov' },
    { 'X-Bz-Content-Sha1': sha1('x') },
    { 'Content-Type': 'text/plain' },
  ])
    expect(await put(changes)).toEqual([400, 'bad_request'])
  expect(await put()).toEqual([200, undefined])
  expect(iconik.files()[0]?.stored).toMatchObject({ bytes: 5, sha1: sha1('hello') })
  iconik.faults.failNext('b2.putFile', 503)
  expect([(await put())[0], await put()]).toEqual([503, [503, 'service_unavailable']])
  const again = (await ask(iconik, `GET ${path}`)).body
  const Authorization = again.upload_credentials.authorizationToken
  expect(await put({ Authorization }, again.upload_url)).toEqual([200, undefined])
  iconik.clock.advance(3_600_001)
  expect(await put({ Authorization }, again.upload_url)).toEqual([401, 'expired_auth_token'])
})

test('a large file has parts in order, of sufficient size, and a list of their checksums', async () => {
  const iconik = await simulator({ behavior: { b2MinPartBytes: 5 } })
  const { path } = await createFile(iconik, { storage: 'B2 1' })
  const call = (name: string, body = {}) => ask(iconik, `POST ${path}multipart/b2/${name}/`, { body })
  const { upload_file_id: id, ...address } = (await call('start')).body
  const putPart = async (number: number, bytes: string, { upload_url: url, authorization_token: token } = address) => {
    const headers = { Authorization: token, 'X-Bz-Part-Number': String(number), 'X-Bz-Content-Sha1': sha1(bytes) }
    return (await send('POST', url, bytes, headers)).status
  }
  const finish = (...list: string[]) => call('finish', { upload_file_id: id, sha1_list: list.map(sha1) })
  expect([await putPart(2, 'world'), await putPart(1, 'hello')]).toEqual([400, 200])
  iconik.faults.failNext('b2.putPart', 503)
  expect([await putPart(2, 'world'), await putPart(2, 'world')]).toEqual([503, 503])
  const fresh = (await call('start', { upload_file_id: id })).body
  expect([fresh.upload_file_id, await putPart(2, 'world', fresh)]).toEqual([id, 200])
  expect([(await finish('hello')).status, (await finish('world', 'hello')).status]).toEqual([400, 400])
  expect((await finish('hello', 'world')).status).toBe(200)
  expect(iconik.files()[0]?.stored).toMatchObject({ bytes: 10, sha1: sha1('helloworld') })
  expect((await finish('hello', 'world')).status).toBe(404)
})

test('a large file is cancelled, may have parts in any order, and its start may fail', async () => {
  const iconik = await simulator({ readings: { b2PartOrder: 'any' } })
  const { path } = await createFile(iconik, { storage: 'B2 1' })
  const call = (name: string, body = {}) => ask(iconik, `POST ${path}multipart/b2/${name}/`, { body })
  const { upload_file_id, upload_url: url, authorization_token: Authorization } = (await call('start')).body
  const headers = { Authorization, 'X-Bz-Part-Number': '2', 'X-Bz-Content-Sha1': sha1('a') }
  expect((await send('POST', url, 'a', headers)).status).toBe(200)
  const sha1List = [sha1('b'), sha1('a')]
  await send('POST', url, 'b', { ...headers, 'X-Bz-Part-Number': '1', 'X-Bz-Content-Sha1': sha1('b') })
  expect((await call('finish', { upload_file_id, sha1_list: sha1List })).body.errors).toEqual(['A part is too small'])
  expect((await call('cancel', { upload_file_id })).status).toBe(200)
  expect([iconik.openUploads(), (await call('cancel', { upload_file_id })).status]).toEqual([0, 404])
  iconik.storageNamed('B2 1').accessError = 'The bucket does not exist'
  expect((await call('start')).body).toEqual({ error: 'The bucket does not exist', error_code: 'unauthorized' })
})
