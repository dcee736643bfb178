import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { askToken, session, simulator } from './testing.ts'

test('a token is issued for a form with the right secret', async () => {
  const transfers = await simulator()
  expect((await askToken(transfers)).body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 86_400,
  })
  expect(await askToken(transfers, { client_secret: 'wrong' })).toMatchObject({ status: 401 })
  expect(await askToken(transfers, { grant_type: 'password' })).toMatchObject({ status: 400 })
  const json = { headers: { 'content-type': 'application/json' } }
  expect(await askToken(transfers, {}, json)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  expect(JSON.stringify(transfers.requests)).not.toContain('planted-secret')
  expect(transfers.requests[0]?.body).toContain('client_secret=***')
})

test('all other calls need a token, which expires', async () => {
  const transfers = await simulator()
  expect((await fetch(`${transfers.url}/`)).status).toBe(401)
  const ask = await session(transfers)
  expect((await ask('GET ')).body).toEqual({ name: 'CloudSoda', version: '1.7.0' })
  expect(transfers.requests.at(-1)?.headers.authorization).toBe('***')
  transfers.clock.advance(86_400_000)
  expect(await ask('GET storages')).toMatchObject({ status: 401, body: { errors: [{ status: '401' }] } })
  const next = await session(transfers)
  transfers.expireTokens()
  expect((await next('GET storages')).status).toBe(401)
})

test('a renewal ends the old token, or leaves it valid', async () => {
  const transfers = await simulator()
  const first = await session(transfers)
  await askToken(transfers)
  expect((await first('GET storages')).status).toBe(200)
  transfers.readings.endsOldToken = true
  await askToken(transfers)
  expect((await first('GET storages')).status).toBe(401)
})

test('a deployment has any host name, a base path, and a port with TLS', async () => {
  const transfers = await simulator({ basePath: '/api', tls: certificate })
  expect(transfers.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  const ask = await session(transfers)
  for (const host of ['acme.api.cloudsoda.io', 'api.acme.cloudsoda.io'])
    expect((await ask('GET storages', { headers: { host } })).status).toBe(200)
  expect((await ask('GET storages', { base: transfers.url.replace('/api', '') })).status).toBe(404)
  expect(transfers.tlsUrl).toMatch(/^https:/)
  await expect(fetch(`${transfers.tlsUrl}/storages`)).rejects.toThrow('fetch failed')
})
