import { get } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { smartConnectName } from './index.ts'
import { cluster, headersOf, login, send, session } from './testing.ts'

const config = '/platform/1/cluster/config'

test('a login opens a session with two cookies, and a logout closes it', async () => {
  const simulator = await cluster()
  const answer = await login(simulator)
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    services: ['platform', 'namespace'],
    timeout_absolute: 14_400,
    timeout_inactive: 900,
    username: 'scan',
  })
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^isisessid=.+; HttpOnly; Secure; SameSite=strict$/),
    expect.stringMatching(/^isicsrf=[0-9a-f-]{36};/),
  ])
  const headers = headersOf(answer, simulator.host)
  const call = (method: string, path: string) => send(simulator, method, path, { headers })
  expect((await call('GET', config)).body.onefs_version.release).toBe('9.8.0.0')
  expect((await call('GET', '/session/1/session')).body.username).toBe('scan')
  expect((await call('DELETE', '/session/1/session')).status).toBe(204)
  expect((await call('GET', config)).status).toBe(401)
  expect(simulator.sessions.openCount).toBe(0)
})

test('the certificate is for the address and the SmartConnect name, and has the fingerprint', async () => {
  const { host, ca, fingerprint } = await cluster()
  const port = host.split(':')[1]
  const shown = await new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, ca, servername: smartConnectName, agent: false } as const
    get(options, (response) => {
      resolve((response.socket as TLSSocket).getPeerCertificate().fingerprint256)
      response.destroy()
    }).on('error', reject)
  })
  expect(shown).toBe(fingerprint)
  expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  await expect(send({ host, ca: '' }, 'GET', '/')).rejects.toThrow('self-signed certificate')
})

test('the address of a login has no slash at the end', async () => {
  const simulator = await cluster()
  expect((await send(simulator, 'POST', '/session/1/session/', { body: {} })).status).toBe(404)
  expect((await send(simulator, 'POST', '/session/1/session', { body: {} })).body.errors[0].code).toBe(
    'AEC_ARG_REQUIRED',
  )
})

test('a request needs the cookie, the CSRF token, and a referer or an origin', async () => {
  const simulator = await cluster()
  const headers = headersOf(await login(simulator), simulator.host)
  const statusWith = async (changed: object) =>
    (await send(simulator, 'GET', config, { headers: JSON.parse(JSON.stringify({ ...headers, ...changed })) })).status
  expect(await statusWith({})).toBe(200)
  expect(await statusWith({ referer: undefined, origin: headers.referer })).toBe(200)
  expect(await statusWith({ cookie: undefined })).toBe(401)
  expect(await statusWith({ 'x-csrf-token': undefined })).toBe(401)
  expect(await statusWith({ 'x-csrf-token': 'another' })).toBe(401)
  expect(await statusWith({ referer: undefined })).toBe(401)
  expect(await statusWith({ referer: 'https://elsewhere' })).toBe(401)
})

test('old releases protect no session with a CSRF token', async () => {
  const simulator = await cluster({ switches: { sendsCsrfCookie: false } })
  const { cookie } = headersOf(await login(simulator), simulator.host)
  expect(cookie).not.toContain('isicsrf')
  expect((await send(simulator, 'GET', config, { headers: { cookie } })).status).toBe(200)
})

test('a session works on the node that created it only', async () => {
  const simulator = await cluster()
  const [, other = ''] = simulator.hosts
  const headers = headersOf(await login(simulator), other)
  expect((await send({ host: other, ca: simulator.ca }, 'GET', config, { headers })).status).toBe(401)
  const call = await session(simulator, { host: other })
  expect((await call('GET', config)).status).toBe(200)
})

test('a session is for the services that the login names', async () => {
  const simulator = await cluster()
  const call = await session(simulator, { services: ['platform'] })
  expect((await call('GET', config)).status).toBe(200)
  expect((await call('GET', '/namespace/ifs')).status).toBe(401)
})

test('activity does not extend a session, but its replacement cookie does', async () => {
  const simulator = await cluster()
  const { clock, host } = simulator
  const headers = headersOf(await login(simulator), host)
  const call = (cookie: string) => send(simulator, 'GET', config, { headers: { ...headers, cookie } })
  clock.advance(449)
  expect((await call(headers.cookie)).headers['set-cookie']).toBeUndefined()
  clock.advance(1)
  const replaced = await call(headers.cookie)
  expect(replaced.headers['set-cookie']).toEqual([expect.stringMatching(/^isisessid=/)])
  const [replacement = ''] = replaced.headers['set-cookie'] as string[]
  expect((await call(headers.cookie)).headers['set-cookie']).toEqual([replacement])
  clock.advance(450)
  expect((await call(headers.cookie)).status).toBe(401)
  expect((await call(replacement)).status).toBe(200)
})

test('a session ends at its absolute limit', async () => {
  const simulator = await cluster({ switches: { absoluteLimit: 600 } })
  const call = await session(simulator)
  simulator.clock.advance(600)
  expect((await call('GET', config)).status).toBe(401)
})

test('a 401 is an HTML page or JSON; for a wrong password it is JSON', async () => {
  const simulator = await cluster()
  const page = await send(simulator, 'GET', config)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.text).toContain('<h1>Unauthorized</h1>')
  simulator.switches.unauthorizedAs = 'json'
  expect((await send(simulator, 'GET', config)).body).toEqual({ errors: [{ message: 'Authorization required' }] })
  expect(await login(simulator, { password: 'wrong' })).toMatchObject({
    status: 401,
    body: { errors: [{ message: 'Username or password is incorrect.' }] },
  })
})

test('an account is locked after wrong passwords', async () => {
  const simulator = await cluster({ switches: { maxFailedLogins: 2 } })
  await login(simulator, { password: 'wrong' })
  await login(simulator, { password: 'wrong' })
  expect((await login(simulator)).status).toBe(401)
})

test('sessions are limited, and a logout frees one', async () => {
  const simulator = await cluster({ switches: { maxSessions: 1 } })
  const call = await session(simulator)
  expect(await login(simulator)).toMatchObject({ status: 403, body: { errors: [{ code: 'AEC_LIMIT_EXCEEDED' }] } })
  await call('DELETE', '/session/1/session')
  expect((await login(simulator)).status).toBe(201)
})

test('HTTP Basic works where it is switched on', async () => {
  const simulator = await cluster()
  const authorization = `Basic ${Buffer.from('scan:secret').toString('base64')}`
  expect((await send(simulator, 'GET', config, { headers: { authorization } })).status).toBe(401)
  simulator.switches.acceptsBasic = true
  expect((await send(simulator, 'GET', config, { headers: { authorization } })).status).toBe(200)
})

test('the record of requests has no secrets', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  await call('GET', config)
  expect(simulator.requests.count).toBe(2)
  expect(simulator.requests.log.at(-1)).toMatchObject({ method: 'GET', path: config, status: 200, node: 0 })
  expect(Object.keys(simulator.requests.log.at(-1)!.headers)).not.toContain('cookie')
})
