import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { failureOf } from './failures.ts'
import { singleSignOnHealth } from './index.ts'

const platform = await testPlatform()

/** The problem that a user sees whose provider has this address, and what health says. */
async function problemAt(issuer: string) {
  const settings = {
    issuer,
    clientId: 'dataintell',
    clientSecret: 'planted',
    groupsClaims: ['groups'],
    groupRoles: [],
    scopes: [],
  }
  const app = createApp({ ...platform, config: { ...platform.config, singleSignOn: settings } }, [])
  const { headers } = await request(app).get(singleSignOnPaths.signIn)
  const at = new URL(String(headers['location']), 'http://product')
  const [health] = await singleSignOnHealth(platform.db)
  return { problem: at.searchParams.get('problem'), host: at.host, health: health?.message }
}

/** A provider that answers every request in this way. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const metadata = (issuer: string) =>
  JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` })

/** A provider that names itself so. */
async function naming(nameOf: (address: string) => string): Promise<string> {
  let address = ''
  address = await answering((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(metadata(nameOf(address))),
  )
  return address
}

test('an issuer that differs by a slash at its end alone is accepted', async () => {
  const withSlash = await naming((address) => `${address}/realm/`)
  expect((await problemAt(`${withSlash}/realm`)).host).toBe(new URL(withSlash).host)
  const without = await naming((address) => `${address}/realm`)
  expect((await problemAt(`${without}/realm/`)).host).toBe(new URL(without).host)
})

test('another issuer is named exactly, and its provider is not used', async () => {
  const address = await naming(() => 'https://other.example.com')
  expect(await problemAt(address)).toMatchObject({
    problem: 'otherIssuer',
    health: expect.stringContaining(
      `OIDC_ISSUER is ${address}, but the provider names itself https://other.example.com`,
    ),
  })
})

test('an address without a configuration is not found, and a provider that fails is unreachable', async () => {
  const missing = await answering((_, response) => response.writeHead(404).end('Not found'))
  expect(await problemAt(missing)).toMatchObject({
    problem: 'notFound',
    health: expect.stringContaining(`${missing} has no OpenID Connect configuration (status 404)`),
  })
  const page = await answering((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))
  expect((await problemAt(page)).problem).toBe('notFound')
  const failing = await answering((_, response) => response.writeHead(503).end())
  expect((await problemAt(failing)).problem).toBe('unreachable')
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const gone = await problemAt(`http://127.0.0.1:${port}`)
  expect(gone).toMatchObject({ problem: 'unreachable', health: expect.stringContaining('ECONNREFUSED') })
})

test('each kind of failure has its own problem', () => {
  const problem = (facts: object, cause?: object) =>
    failureOf(Object.assign(new Error('failed', { cause }), facts), 'response', 'https://provider').problem
  expect(problem({ code: 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' })).toBe('clock')
  expect(problem({ code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }, { claim: 'iss', claims: { iss: 'x' } })).toBe(
    'otherIssuer',
  )
  expect(problem({ code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }, { claim: 'aud' })).toBe('unconfirmed')
  expect(problem({ code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_client', status: 401 })).toBe('refusedClient')
  expect(problem({ code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'unauthorized_client' })).toBe('refusedClient')
  expect(problem({ code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant' })).toBe('unconfirmed')
  expect(problem({ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'access_denied' })).toBe('denied')
  expect(problem({ code: 'OAUTH_TIMEOUT' })).toBe('unreachable')
  expect(
    problem({}, Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })),
  ).toBe('certificate')
})
