import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer as createHttpServer, request as send } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import type { Role } from '#events/contract/needs.ts'
import { tagResults } from '#events/tags.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { forgetApplicationUrl } from '#server/platform/http/place/publicPlace.ts'
import { route } from '#server/platform/http/route.ts'
import { hash } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from './app.ts'
import { sessionRoutes } from './access/session/index.ts'
import { asUser, testSession, testToken, testUser } from './testing.ts'
import { fileStorageRoutes } from './scanning/sources/index.ts'

const platform = await testPlatform()
const session = await testSession(platform.db, ['ROLE_ADMIN'])
const client = await mkdtemp(join(tmpdir(), 'dataintell-client-'))
await writeClient()
const app = createApp(platform, [...sessionRoutes(platform), ...fileStorageRoutes(platform)], { client })
const get = (path: string) => request(app).get(path)
const nowhere = '127.0.0.1:1'

async function writeClient() {
  await mkdir(join(client, 'assets'))
  await writeFile(join(client, 'index.html'), '<!doctype html><style nonce="__CSP_NONCE__"></style>')
  await writeFile(join(client, 'assets', 'main-abc.js'), 'run()')
  await writeFile(join(client, 'assets', 'main-abc.js.br'), brotliCompressSync('run()'))
  await writeFile(join(client, 'assets', 'main-abc.js.gz'), gzipSync('run()'))
  await writeFile(join(client, 'icon.svg'), '<svg/>')
}
afterAll(() => rm(client, { recursive: true }))

test('pages and answers carry a strict policy and the other headers of safety', async () => {
  for (const path of ['/', '/api/loginInfo', '/api/nothing', '/assets/main-abc.js', '/api/docs']) {
    const { headers } = await get(path)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';script-src 'self' 'wasm-unsafe-eval';style-src 'self' 'nonce-[\w+/]{22}==';img-src 'self' data: blob:;/,
    )
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['strict-transport-security']).toBeUndefined()
  }
})

const isStrict = async (headers: Record<string, string>) => {
  const proxied = createApp({ ...platform, config: { ...platform.config, trustedProxies: ['loopback'] } }, [], {
    client,
  })
  return 'strict-transport-security' in (await request(proxied).get('/').set(headers)).headers
}
const https = (host: string, more = {}) => ({ 'x-forwarded-proto': 'https', 'x-forwarded-host': host, ...more })

test.each([
  [https('files.example.com'), true],
  [https('files.example.com:443'), true],
  [https('files.example.com', { 'x-forwarded-proto': 'http' }), false],
  [https('nas.example.com:8443'), false],
  [https('nas.example.com', { 'x-forwarded-port': '8443' }), false],
  [https('nas.example.com', { 'x-forwarded-prefix': '/dataintell' }), false],
])('requires https only at a host without other ports and pages: %j', async (headers, expected) => {
  expect(await isStrict(headers)).toBe(expected)
})

test('requires no https if the Application URL has a port that the proxy does not forward', async () => {
  await platform.db
    .insertInto('configurations')
    .values({ name: 'app.url', value: 'https://nas.example.com:8443' })
    .execute()
  forgetApplicationUrl(platform.db)
  expect(await isStrict(https('nas.example.com'))).toBe(false)
  await platform.db.deleteFrom('configurations').execute()
  forgetApplicationUrl(platform.db)
  expect(await isStrict(https('nas.example.com'))).toBe(true)
})

test('each page has a nonce of its own, the one that its policy names', async () => {
  const [one, two] = await Promise.all([get('/search?search=a'), get('/')])
  const nonce = /nonce="([^"]+)"/.exec(one.text)![1]!
  expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(two.text).not.toContain(nonce)
  const docs = await get('/api/docs')
  expect(docs.headers['content-security-policy']).toContain(`'nonce-${/nonce="([^"]+)"/.exec(docs.text)![1]}'`)
})

test('deep links load the page each time, hashed files are cached forever', async () => {
  for (const path of ['/', '/search', '/project/edit/3', '/volumes/7?path=/a.b', '/no/such.page']) {
    const page = await get(path).expect(200)
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  }
  const asset = await get('/assets/main-abc.js').expect(200, 'run()')
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/icon.svg').expect(200)).headers['cache-control']).toBe('no-cache')
  expect((await get('/assets/main-old.js')).status).toBe(404)
  expect((await get('/assets/..%2f..%2fpackage.json')).status).toBe(404)
})

test('answers and the API docs travel compressed', async () => {
  for (const path of ['/api/docs', '/api/docs/openapi.json']) {
    expect((await get(path).set('Accept-Encoding', 'gzip')).headers['content-encoding']).toBe('gzip')
    expect((await get(path).set('Accept-Encoding', 'identity')).headers['content-encoding']).toBeUndefined()
  }
})

test('the API docs have the font of the product', async () => {
  expect((await get('/api/docs/inter.woff2').expect(200)).headers['content-type']).toBe('font/woff2')
})

test('scripts and styles are compressed for clients that accept it, and plain for others', async () => {
  for (const [takes, comes] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const asset = await get('/assets/main-abc.js').set('Accept-Encoding', takes).expect(200, 'run()')
    expect(asset.headers['content-encoding']).toBe(comes)
    expect(asset.headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(asset.headers['content-type']).toMatch(/^text\/javascript/)
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test('a client that is not built yet says so', async () => {
  const bare = createApp(platform, [], { client: join(client, 'nothing') })
  expect(await request(bare).get('/')).toMatchObject({
    status: 503,
    text: 'The client is not built yet: npm run build',
  })
})

test('a call whose body is sent slowly is refused if its token is revoked meanwhile', async () => {
  const { id, token } = await testToken(platform.db, ['ROLE_ADMIN'])
  const server = createHttpServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [start, end] = ['{"name":', 'null}']
  const sending = send({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    path: '/api/volumeSettings',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 13 },
  })
  const answered = once(sending, 'response')
  sending.write(start)
  await setTimeout(1_100)
  await platform.db.deleteFrom('apiTokens').where('id', '=', id).execute()
  sending.end(end)
  const [answer] = await answered
  expect(answer.statusCode).toBe(401)
  answer.resume()
  server.close()
})

test('an unknown call is a problem, not a page', async () => {
  expect(await get('/api/nothing')).toMatchObject({ status: 404, body: { message: 'There is no such call' } })
  expect(await request(app).post('/anything')).toMatchObject({
    status: 404,
    body: { message: 'There is no such page' },
  })
  expect((await get('/actuator/env')).status).toBe(404)
})

test('unexpected failures are answered without internal details', async () => {
  const broken = endpoint({
    method: 'GET',
    path: '/broken',
    needs: 'nothing',
    failure: 'Unable to break',
    answer: z.int(),
  })
  const fail = () => {
    throw new TypeError('secret of /etc/passwd')
  }
  const { status, body } = await request(createApp(platform, [route(broken, fail)])).get('/api/broken')
  expect([status, body.message, body.code]).toEqual([500, 'Unable to break', 'unexpected'])
  expect(JSON.stringify(body)).not.toContain('secret')
})

test('failures of folders alone mention folders', async () => {
  const breaking = route(tagResults, () => {
    throw new TypeError('no answer')
  })
  const ask = asUser(createApp(platform, [breaking]), await testSession(platform.db, ['ROLE_ADMIN']))
  const messageOf = async (query: string) => (await ask('POST', `/api/v1/files/search/tags?${query}`)).body.message
  expect(await messageOf('tagToApply=x&isDirectory=true')).toBe('Unable to update folder')
  expect(await messageOf('tagToApply=x')).toBe('Unable to update file')
})

test('an answer that is not what its call declares fails in tests', async () => {
  const answer = z.object({ id: z.int() })
  const wrong = endpoint({ method: 'GET', path: '/wrong', needs: 'nothing', failure: 'Wrong', answer })
  const status = async (given: unknown) =>
    (await request(createApp(platform, [route(wrong, () => given as never)])).get('/api/wrong')).status
  expect(await status({ id: 1 })).toBe(200)
  expect(await status({ id: 'x' })).toBe(500)
  expect(await status({ id: 1, passwordHash: 'x' })).toBe(500)
})

test('a call that waits for a store that does not answer names the store, and its late result is dropped', async () => {
  // It accepts connections and never responds.
  const taken: Socket[] = []
  const silent = createServer((socket) => void taken.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const db = openPostgres(`postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`)
  const hanging = { ...platform, db }
  const hangingApp = createApp(hanging, fileStorageRoutes(hanging), { askStoresEveryMs: 100 })
  expect(await asUser(hangingApp, session)('GET', '/api/volumeSettings')).toMatchObject({
    status: 503,
    body: { message: 'Not available right now: Postgres cannot be reached', code: 'store-down' },
  })
  silent.close()
  for (const socket of taken) socket.destroy()
  await db.destroy()
})

test('health tells which store is down, and a call says it', async () => {
  expect(await get('/actuator/health')).toMatchObject({
    status: 200,
    body: {
      status: 'UP',
      components: { postgres: { status: 'UP' }, clickhouse: { status: 'UP' }, nats: { status: 'UP' } },
    },
  })
  const db = openPostgres(`postgres://nobody@${nowhere}/none`)
  const clickhouse = await openClickHouse(`http://${nowhere}`)
  const cutOff = { ...platform, db, clickhouse }
  const halfApp = createApp(cutOff, [...sessionRoutes(cutOff), ...fileStorageRoutes(cutOff)])
  const down = { status: 'DOWN', reason: 'cannot be reached' }
  expect(await request(halfApp).get('/actuator/health')).toMatchObject({
    status: 503,
    body: { status: 'DOWN', components: { postgres: down, clickhouse: down, nats: { status: 'UP' } } },
  })
  const answer = await asUser(halfApp, session)('GET', '/api/volumeSettings')
  expect(answer).toMatchObject({
    status: 503,
    body: { message: 'Not available right now: Postgres and ClickHouse cannot be reached', code: 'store-down' },
  })
  expect(answer.headers['retry-after']).toBe('5')
  expect((await request(halfApp).get('/api/loginInfo')).status).toBe(200)
  await db.destroy()
  await clickhouse.close()
})

test('metrics are for programs of this machine, and elsewhere for a token of an administrator', async () => {
  const { id: userId } = await testUser(platform.db, ['ROLE_ADMIN'])
  const expiresAt = new Date(Date.now() + 60_000)
  const token = async (name: string, roles: Role[]) => {
    await platform.db
      .insertInto('apiTokens')
      .values({ userId, name, tokenHash: hash(name), roles, expiresAt })
      .execute()
    return `Bearer ${name}`
  }
  const elsewhere = (authorization?: string) => {
    const response = get('/actuator/prometheus').set('X-Forwarded-For', '203.0.113.1')
    return authorization === undefined ? response : response.set('Authorization', authorization)
  }
  await get('/actuator/prometheus').expect(200)
  expect((await elsewhere()).status).toBe(401)
  await elsewhere('Bearer made-up').expect(401)
  await elsewhere().set('Cookie', `SESSION=${session}`).expect(401)
  await elsewhere(await token('of-a-script', ['ROLE_PROJECT_MANAGER'])).expect(403)
  await elsewhere(await token('of-monitoring', ['ROLE_ADMIN'])).expect(200)
  await get('/actuator/prometheus').set('Via', '1.1 proxy').expect(401)
})

test('calls are measured by their declared path', async () => {
  const counted = (text: string) =>
    Number(
      /dataintell_http_request_seconds_count\{method="PUT",path="\/volumeSettings\/:id",status="400"\} (\d+)/.exec(
        text,
      )?.[1] ?? 0,
    )
  // Other test files of this process may have made the same call.
  const before = counted((await get('/actuator/prometheus')).text)
  await asUser(app, session)('PUT', '/api/volumeSettings/123456', {}).expect(400)
  const { text } = await get('/actuator/prometheus').expect(200)
  expect(counted(text)).toBe(before + 1)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('123456')
})
