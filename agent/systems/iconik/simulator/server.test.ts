import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { ask, createFile, simulator } from './testing.ts'

test('both headers are checked, and a token may be revoked', async () => {
  const iconik = await simulator()
  const status = async (headers = {}) => (await ask(iconik, 'GET users/v1/users/current/roles/', { headers })).status
  expect(await status()).toBe(200)
  expect([await status({ 'App-ID': 'other' }), await status({ 'Auth-Token': 'other' })]).toEqual([401, 401])
  const token = iconik.tokens.get(iconik.token)!
  token.isRevoked = true
  expect((await ask(iconik, 'GET assets/v1/collections/')).body).toEqual({ errors: ['Invalid or expired token'] })
  expect(JSON.stringify(iconik.requests)).not.toContain('planted-token')
})

test('a token has roles, and a refusal names the role and the call', async () => {
  const iconik = await simulator({ roles: ['can_read_storages'] })
  expect((await ask(iconik, 'GET users/v1/users/current/roles/')).body).toEqual({ objects: ['can_read_storages'] })
  expect(await ask(iconik, 'GET files/v1/storages/')).toMatchObject({ status: 200 })
  const refused = await ask(iconik, 'POST assets/v1/assets/', { body: { title: 'a' } })
  const text = 'The role can_create_assets is required for POST assets/v1/assets/'
  expect(refused).toMatchObject({ status: 403, body: { errors: [text] } })
  expect(iconik.assets.size).toBe(0)
})

test('a path without its last slash is redirected, and other paths are unknown', async () => {
  const iconik = await simulator()
  const redirected = await ask(iconik, 'POST assets/v1/assets?apply_default_acls=true', { body: { title: 'a' } })
  expect(redirected.status).toBe(301)
  expect(redirected.headers['location']).toBe('/API/assets/v1/assets/?apply_default_acls=true')
  expect(iconik.assets.size).toBe(0)
  expect((await ask(iconik, 'GET assets/v1/nothing/')).status).toBe(404)
  expect((await ask(iconik, 'PUT assets/v1/assets/')).status).toBe(405)
})

test('errors are lists, fields or plain text', async () => {
  const iconik = await simulator()
  const create = async () => (await ask(iconik, 'POST assets/v1/assets/', { body: { titel: 'a' } })).body
  const fields = { title: 'Missing data for required field.', titel: 'Unknown field.' }
  expect(await create()).toEqual({ errors: fields })
  iconik.behavior.errorShape = 'list'
  expect(await create()).toEqual({ errors: [`title: ${fields.title}`, `titel: ${fields.titel}`] })
  iconik.behavior.errorShape = 'text'
  expect(await create()).toBe(`title: ${fields.title}\ntitel: ${fields.titel}`)
  iconik.behavior.errorShape = 'fields'
  const id = '5f0c0000-0000-11ee-8000-ffffffffffff'
  const missing = { errors: { message: `Asset ${id} does not exist` } }
  expect(await ask(iconik, `GET assets/v1/assets/${id}/`)).toMatchObject({ status: 404, body: missing })
  const type = { headers: { 'Content-Type': 'text/plain' }, body: {} }
  expect(await ask(iconik, 'POST assets/v1/assets/', type)).toMatchObject({ status: 400 })
})

test('requests above the limit get status 429, with or without the time to wait', async () => {
  const iconik = await simulator({ behavior: { limitRequests: 3 } })
  const check = () => ask(iconik, 'GET users/v1/users/current/roles/')
  for (const remaining of ['2', '1', '0']) {
    expect((await check()).headers['ratelimit-remaining']).toBe(remaining)
    iconik.clock.advance(1_000)
  }
  const refused = await check()
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '17'])
  iconik.readings.retryAfter = 'none'
  expect((await check()).headers['retry-after']).toBeUndefined()
  iconik.readings.retryAfter = 'date'
  expect((await check()).headers['retry-after']).toBe('Sat, 21 Nov 2026 10:00:20 GMT')
  iconik.clock.advance(17_000)
  expect((await check()).status).toBe(200)
  iconik.clock.advance(20_000)
  iconik.limitNext(2)
  expect([await check(), await check(), await check()].map(({ status }) => status)).toEqual([429, 429, 200])
})

test('any step fails, loses its answer, or answers slowly or with half of its body', async () => {
  const iconik = await simulator()
  iconik.faults.failNext('formats.create', 422, { errors: ['No'] })
  await expect(createFile(iconik, { externalId: 'job 1/1' })).rejects.toThrow(/formats\/: 422/)
  iconik.faults.loseAnswer('assets.create')
  await expect(createFile(iconik, { externalId: 'job 1/1' })).rejects.toThrow('socket hang up')
  expect(iconik.duplicates()).toEqual(['job 1/1'])
  iconik.faults.malformNext('storages.list')
  await expect(ask(iconik, 'GET files/v1/storages/')).rejects.toThrow('JSON')
  iconik.faults.resetNext('storages.list', 10)
  await expect(ask(iconik, 'GET files/v1/storages/')).rejects.toThrow('aborted')
  iconik.faults.delayNext('storages.list', 50)
  const before = performance.now()
  await ask(iconik, 'GET files/v1/storages/')
  expect(performance.now() - before).toBeGreaterThan(45)
  expect(iconik.requestsOf('assets.create').map(({ status }) => status)).toEqual([201, 0])
})

test('it also serves TLS, and counts parallel requests', async () => {
  const iconik = await simulator({ tls: certificate })
  expect([iconik.url, iconik.uploadUrl].map((url) => new URL(url).protocol)).toEqual(['https:', 'https:'])
  expect(iconik.fingerprint).toMatch(/^[\dA-F:]{95}$/)
  const plain = await simulator()
  plain.faults.latencyMs = 30
  await Promise.all([1, 2, 3].map(() => ask(plain, 'GET users/v1/users/current/roles/')))
  expect(plain.maxParallelRequests()).toBe(3)
  plain.drop(5_000)
  await expect(ask(plain, 'GET users/v1/users/current/roles/')).rejects.toThrow('socket hang up')
})
