import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { ask, simulator } from './testing.ts'

const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex')

/** Header that responds to a Digest challenge for a call without parameters of its own. */
function digest(challenge: string, { password = 'planted-password', uri = '/sws/v2/system/info' } = {}) {
  const nonce = /nonce="([^"]*)"/.exec(challenge)?.[1] ?? ''
  const secret = md5('dataintell', 'StorNext', password)
  const response = md5(secret, nonce, '00000001', 'c', 'auth', md5('GET', uri))
  return {
    authorization: `Digest username="dataintell", realm="StorNext", nonce="${nonce}", uri="${uri}", qop=auth, nc=00000001, cnonce="c", response="${response}"`,
  }
}

test('a wrong password gets status 401, and no secret is recorded', async () => {
  const stornext = await simulator()
  expect(await ask(stornext, 'system/info')).toMatchObject({ status: 200, body: { systemInfo: { version: '7.1.0' } } })
  expect(await ask(stornext, 'system/info', { password: 'wrong' })).toMatchObject({ status: 401 })
  expect(await ask(stornext, 'system/info', {}, { method: 'POST' })).toMatchObject({ status: 200 })
  expect(JSON.stringify(stornext.requests)).not.toContain('planted-password')
  expect(stornext.requests[0]).toMatchObject({ method: 'GET', status: 200 })
  expect(stornext.requests[0]?.path).toContain('password=***')
  expect(stornext.requests[2]?.body).toContain('password=***')
})

test('a user without the privilege reads, but does not store', async () => {
  const users = [{ username: 'dataintell', password: 'planted-password', isReadOnly: true }]
  const stornext = await simulator({ users })
  stornext.addFile('/stornext/snfs1/a')
  const file = '/stornext/snfs1/a'
  expect((await ask(stornext, 'file/fsfileinfo', { file })).status).toBe(200)
  expect((await ask(stornext, 'file/fsstore', { file })).status).toBe(403)
  stornext.readings.missingPrivilege = 'failed'
  const { status, body } = await ask(stornext, 'file/fsstore', { file })
  expect([status, body.statuses]).toEqual([200, [expect.objectContaining({ commandStatus: 'failed' })]])
})

test('a Digest challenge is answered, and is stale after some time and after a restart', async () => {
  const stornext = await simulator({ signIn: 'digest' })
  const info = (headers: Record<string, string>) => {
    const url = new URL(`${stornext.url}/system/info`)
    return fetch(url, { headers })
  }
  const challenged = await info({})
  expect(challenged.status).toBe(401)
  const challenge = challenged.headers.get('www-authenticate') ?? ''
  expect(challenge).toMatch(/^Digest realm="StorNext", qop="auth"/)
  expect((await info(digest(challenge))).status).toBe(200)
  expect((await info(digest(challenge, { password: 'wrong' }))).status).toBe(401)
  stornext.clock.advance(300_001)
  const stale = await info(digest(challenge))
  expect(stale.headers.get('www-authenticate')).toContain('stale=true')
  const next = digest(stale.headers.get('www-authenticate') ?? '')
  expect((await info(next)).status).toBe(200)
  await stornext.restart()
  expect((await info(next)).status).toBe(401)
})

test('a service without a sign-in ignores user and password', async () => {
  const stornext = await simulator({ signIn: 'none' })
  expect((await ask(stornext, 'system/info', { password: 'wrong' })).status).toBe(200)
  expect((await fetch(`${stornext.url}/system/info`)).status).toBe(200)
})

test('calls are under /sws/v2, at a port with TLS and one without', async () => {
  const stornext = await simulator({ tls: certificate })
  expect((await ask(stornext, 'system/info', {}, { base: stornext.tlsUrl })).status).toBe(200)
  expect((await ask(stornext, 'system/info', {}, { base: `http://${stornext.host}` })).status).toBe(404)
  await expect(fetch(`${stornext.tlsUrl}/system/info`)).rejects.toThrow('fetch failed')
  const short = await simulator({ isWithoutBasePath: true })
  expect((await ask(short, 'system/info', {}, { base: `http://${short.host}` })).status).toBe(200)
})
