import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { livePath } from '#events/live.ts'
import { csrfCookie, csrfHeader, sessionCookie } from '#events/users/session.ts'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { wallCookie } from '#events/wall.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './platform/config.ts'
import { changeConfigurations } from './access/configurations/changeConfigurations.ts'
import { findProblems } from './messages/health/findProblems.ts'
import { listen } from './listen.ts'
import { startLive } from './messages/live/index.ts'
import { linkTo } from './messages/notifications/attachFiles.ts'
import { forgetApplicationUrl } from './platform/http/place/publicPlace.ts'
import { timeZone } from './platform/days.ts'
import { system } from './platform/log/eventLog.ts'
import { testReverseProxy } from './platform/testing/reverseProxy.ts'
import { testFolder, testPlatform } from './platform/testing/stores.ts'
import { routesOf } from './serve.ts'
import { person } from './access/single-sign-on/testing/person.ts'
import { startProvider } from './access/single-sign-on/testing/startProvider.ts'
import { asUser, testSession, testUser } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const session = await testSession(db, ['ROLE_ADMIN'])
const client = testFolder('client')
mkdirSync(join(client, 'assets'))
writeFileSync(join(client, 'assets', 'first.js'), 'export {}')
writeFileSync(
  join(client, 'index.html'),
  '<head><meta name="base-path" content=""><meta name="time-zone" content=""><link rel="icon" href="/icon.svg"><script src="/assets/first.js"></script></head>',
)

writeFileSync(join(client, 'wall.html'), '<head><title>Wall</title><meta name="build" content=""></head>')

beforeEach(async () => {
  await db.deleteFrom('configurations').execute()
  await db.deleteFrom('seenOrigins').execute()
  forgetApplicationUrl(db)
})

/** A whole server with these settings; returns its port. */
async function startServer(changes: Partial<Config>): Promise<number> {
  const own = { ...platform, config: { ...platform.config, ...changes } }
  const { http, address, ready } = await listen({ host: '127.0.0.1', port: 0 })
  const live = await startLive(own, http)
  ready(createApp(own, routesOf(own), { client }))
  onTestFinished(async () => {
    await live.stop()
    http.close()
    http.closeAllConnections()
  })
  return Number(new URL(address).port)
}
const trusted = { trustedProxies: ['127.0.0.1'] }
const setUrl = (value: string) => changeConfigurations(platform, [{ name: 'app.url', value }], system)

/** Status of a socket opened by a page of this origin: 101, or that of the refusal. */
function openSocket(address: string, origin: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const headers = { cookie: `${sessionCookie}=${session}` }
  const socket = new WebSocket(`${address.replace('http', 'ws')}${livePath}`, { headers, origin })
  socket.on('open', () => (socket.close(), resolve(101)))
  socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  socket.on('error', () => {})
  return promise
}
const problems = async () => (await findProblems(platform, new Set())).filter(({ key }) => key.startsWith('address '))

test('as nginx forwards the host, sockets open at the address that browsers use', async () => {
  const port = await startServer(trusted)
  const forwarding = await testReverseProxy(port, {
    headers: () => ({ 'x-forwarded-host': 'dataintell.example.com:8443', 'x-forwarded-proto': 'https' }),
  })
  expect(await openSocket(forwarding.address, 'https://dataintell.example.com:8443')).toBe(101)
  expect(await openSocket(forwarding.address, 'https://dataintell.example.com')).toBe(401)
  expect(await openSocket(forwarding.address, 'https://evil.example.com:8443')).toBe(401)
  const apart = await testReverseProxy(port, {
    headers: () => ({ host: 'dataintell.example.com', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' }),
  })
  expect(await openSocket(apart.address, 'https://dataintell.example.com:8443')).toBe(101)
  const standard = await testReverseProxy(port, {
    headers: () => ({ forwarded: 'proto=https;host="dataintell.example.com:8443"' }),
  })
  expect(await openSocket(standard.address, 'https://dataintell.example.com:8443')).toBe(101)
  const passing = await testReverseProxy(port, { headers: (host) => ({ host }) })
  expect(await openSocket(passing.address, passing.address)).toBe(101)
})

test('headers of a proxy that is not trusted do not count, and health tells what to do', async () => {
  const port = await startServer({})
  const proxy = await testReverseProxy(port, { headers: () => ({ 'x-forwarded-host': 'dataintell.example.com' }) })
  expect(await openSocket(proxy.address, 'https://dataintell.example.com')).toBe(401)
  expect(await problems()).toEqual([
    {
      key: 'address https://dataintell.example.com',
      message: `Browsers reach the product at https://dataintell.example.com, but its address is http://127.0.0.1:${port}. They get no live updates. Correct the Application URL in Settings > System, or let the proxy forward the host and port, and add it to TRUSTED_PROXIES.`,
    },
  ])
})

test('the Application URL wins, and pages at another address still work where it was requested', async () => {
  const port = await startServer(trusted)
  await setUrl('https://dataintell.example.com:8443')
  const lost = await testReverseProxy(port, { headers: () => ({ host: 'inner.example.com' }) })
  expect(await openSocket(lost.address, 'https://dataintell.example.com:8443')).toBe(101)
  expect(await problems()).toEqual([])
  expect(await openSocket(lost.address, 'https://inner.example.com')).toBe(101)
  expect((await problems())[0]?.message).toContain('Links in emails and single sign-on lead to the other one')
})

test.each([
  ['strips', { location: '/dataintell' }],
  ['keeps', { location: '/dataintell', keeps: true }],
])('a proxy that %s a base path serves page, files, calls, cookies and sockets', async (_, settings) => {
  const port = await startServer({ ...trusted, basePath: '/dataintell' })
  const { address, port: own } = await testReverseProxy(port, {
    ...settings,
    headers: (host) => ({ 'x-forwarded-host': host }),
  })
  const page = await fetch(`${address}/search?name=a`)
  const html = await page.text()
  expect(html).toContain('<meta name="base-path" content="/dataintell">')
  expect(html).toContain('<link rel="icon" href="/dataintell/icon.svg"><script src="/dataintell/assets/first.js">')
  expect((await fetch(`${address}/assets/first.js`)).status).toBe(200)
  const info = await fetch(`${address}/api/loginInfo`)
  expect(await info.json()).toEqual({ loginUrl: '/login', singleSignOn: false })
  expect(info.headers.getSetCookie()[0]).toMatch(new RegExp(`^${csrfCookie}=.*; Path=/dataintell; `))
  expect(await (await fetch(`${address}/api/docs`)).text()).toContain('href="/dataintell/api/docs/openapi.json"')
  expect(await openSocket(address, `http://127.0.0.1:${own}`)).toBe(101)
})

test('the page has the time zone of the server, in which browsers show days', async () => {
  const port = await startServer(trusted)
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  expect(html).toContain(`<meta name="time-zone" content="${timeZone()}">`)
})

test('a path in the Application URL, or forwarded by the proxy, counts without BASE_PATH', async () => {
  const port = await startServer(trusted)
  const base = async (headers: Record<string, string> = {}) => {
    const html = await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
    return /base-path" content="([^"]*)"/.exec(html)?.[1]
  }
  expect(await base()).toBe('')
  expect(await base({ 'x-forwarded-prefix': '/storage' })).toBe('/storage')
  await setUrl('https://example.com/dataintell/')
  expect(await base({ 'x-forwarded-prefix': '/storage' })).toBe('/dataintell')
  expect(await db.transaction().execute((trx) => linkTo(trx, '/report/7'))).toBe(
    'https://example.com/dataintell/report/7',
  )
})

test.each([{}, { location: '/dataintell' }, { location: '/dataintell', keeps: true }])(
  'single sign-on leads through the proxy and back (%j)',
  async (settings) => {
    let port = 0
    const forward = (host: string) => ({ 'x-forwarded-host': host })
    const { address } = await testReverseProxy(() => port, { ...settings, headers: forward })
    const provider = await startProvider(address)
    provider.know('1', { preferred_username: `ana of ${address}`, groups: [] })
    const { singleSignOn } = readConfig({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'dataintell',
      OIDC_CLIENT_SECRET: 'a secret of the tests',
    })
    port = await startServer({ ...trusted, singleSignOn, basePath: settings.location ?? '' })
    const browser = person()
    const link = `${address}${singleSignOnPaths.signIn}?redirectTo=/search`
    expect(await browser.signIn(link, '1', (url) => url === `${address}/search`)).toBe(`${address}/search`)
    expect(browser.cookie(new URL(address).host, sessionCookie)).toMatch(/./)
    const failed = await fetch(`${address}${singleSignOnPaths.callback}?state=unknown`, { redirect: 'manual' })
    expect(failed.headers.get('location')).toBe(`${settings.location ?? ''}/login?problem=unconfirmed`)
    expect((await browser.follow(`${address}${singleSignOnPaths.signOut}`)).at).toMatch(/^http/)
  },
)

test.each(['/wall', '/wall/'])('the token in %s is exchanged at once, and no address keeps it', async (path) => {
  const port = await startServer({ ...trusted, basePath: '/dataintell' })
  const admin = asUser(createApp(platform, routesOf(platform)), session)
  const framed = { name: `Lobby ${path}`, frameAncestors: 'https://intranet.example.com' }
  const { token } = (await admin('POST', '/api/v1/wall/tokens', framed).expect(200)).body as { token: string }
  const open = (search: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}${search}`, { redirect: 'manual', headers })
  const secure = { 'x-forwarded-proto': 'https' }
  const first = await open(`?boards=jobs&token=${token}`, secure)
  expect([first.status, first.headers.get('location')]).toEqual([302, '/dataintell/wall?boards=jobs'])
  const [cookie = ''] = first.headers.getSetCookie()
  expect(cookie).toMatch(
    new RegExp(`^${wallCookie}=[^;]+; Path=/dataintell; HttpOnly; Secure; Partitioned; SameSite=None$`),
  )
  const page = await open('', { cookie: cookie.split(';')[0] ?? '' })
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self' https://intranet.example.com")
  expect(page.headers.get('x-frame-options')).toBeNull()
  const plain = await open('')
  expect(plain.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self'(;|$)/)
  const revoked = await open('?token=unknown')
  expect([revoked.status, revoked.headers.get('location')]).toEqual([302, '/dataintell/wall'])
})

test('the page of a wall may open its socket, which self does not allow in browsers of 2019', async () => {
  const port = await startServer(trusted)
  const policyOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).headers.get('content-security-policy')
  expect(await policyOf('/wall')).toContain(`connect-src 'self' ws://127.0.0.1:${port} data:;`)
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'data.example.com' }
  expect(await policyOf('/wall', forwarded)).toContain("connect-src 'self' wss://data.example.com data:;")
  await setUrl('https://storage.example.com')
  expect(await policyOf('/wall', forwarded)).toContain(
    "connect-src 'self' wss://data.example.com wss://storage.example.com data:;",
  )
  expect(await policyOf('/search')).toContain("connect-src 'self' data:;")
})

test('the wall has its own page, and a change of it alone is another build', async () => {
  const port = await startServer({})
  const page = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  const buildOf = (html: string) => /<meta name="build" content="([\da-f]{12})">/.exec(html)?.[1]
  const wall = await page('/wall/')
  expect(wall).toContain('<title>Wall</title>')
  expect(await page('/wallpaper')).not.toContain('<title>Wall</title>')
  expect(buildOf(wall)).toBeDefined()
  writeFileSync(join(client, 'wall.html'), '<head><title>Wall 2</title><meta name="build" content=""></head>')
  utimesSync(join(client, 'wall.html'), new Date(), new Date(Date.now() + 5_000))
  const changed = await page('/wall')
  expect(changed).toContain('Wall 2')
  expect(buildOf(changed)).not.toBe(buildOf(wall))
})

/** The answer to a request without `Host`, as proxies of HTTP/1.0 send them. */
async function askWithoutHost(port: number, path: string, headers: string[] = []): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write([`GET ${path} HTTP/1.0`, ...headers, '', ''].join('\r\n'))
  return text(socket)
}

test('requests without a host are answered, and the Application URL or a forwarded host is the address', async () => {
  const port = await startServer(trusted)
  for (const path of ['/', '/search', '/wall', '/api/loginInfo', '/actuator/health/readiness'])
    expect(await askWithoutHost(port, path)).toMatch(/^HTTP\/1\.1 200 /)
  const policyOf = (answer: string) => /^content-security-policy: (.*)$/im.exec(answer)?.[1]
  const forwarded = ['X-Forwarded-Host: data.example.com', 'X-Forwarded-Proto: https']
  expect(policyOf(await askWithoutHost(port, '/wall', forwarded))).toContain('wss://data.example.com')
  await setUrl('https://storage.example.com')
  expect(policyOf(await askWithoutHost(port, '/wall'))).toContain('wss://storage.example.com')
})

test('an idle connection stays open longer than a proxy keeps it', async () => {
  const { http } = await listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void http.close())
  expect(http.keepAliveTimeout).toBeGreaterThan(75_000)
})

test('a sign-in below a base path gets a session there', async () => {
  const { name } = await testUser(db, [], 'correct horse battery')
  const port = await startServer({ basePath: '/dataintell' })
  const headers = {
    cookie: `${csrfCookie}=${'t'.repeat(43)}`,
    [csrfHeader]: 't'.repeat(43),
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ name, password: 'correct horse battery' })
  const response = await fetch(`http://127.0.0.1:${port}/dataintell/api/login`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()[0]).toMatch(
    new RegExp(`^${sessionCookie}=.*; Path=/dataintell; HttpOnly; SameSite=Lax$`),
  )
})

test.each([
  ['a name and a password', 'Basic b3BzOnNlY3JldA=='],
  ['a ticket', 'Negotiate YIIZ'],
  ['a JWT', 'Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
])('users work behind a proxy that passes %s on, which proves nothing here', async (_, authorization) => {
  const { name } = await testUser(db, ['ROLE_ADMIN'], 'correct horse battery')
  const port = await startServer(trusted)
  const { address, port: own } = await testReverseProxy(port, {
    headers: (host) => ({ 'x-forwarded-host': host, authorization }),
  })
  const crossSite = { cookie: `${csrfCookie}=${'t'.repeat(43)}`, [csrfHeader]: 't'.repeat(43) }
  const body = JSON.stringify({ name, password: 'correct horse battery' })
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  expect((await post('/api/login', {})).status).toBe(403)
  const signedIn = await post('/api/login', crossSite)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  for (const path of ['/api/currentUserInfo', '/api/v1/storages', '/api/v1/jobs'])
    expect([path, (await fetch(`${address}${path}`, { headers: { cookie } })).status]).toEqual([path, 200])
  expect(await openSocket(address, `http://127.0.0.1:${own}`)).toBe(101)
  const planted = await post('/api/logout', { cookie })
  expect([planted.status, await planted.json()]).toMatchObject([403, { code: 'cross-site-token' }])
  const stranger = await fetch(`${address}/api/currentUserInfo`)
  expect([stranger.status, await stranger.json()]).toMatchObject([401, { code: 'sign-in' }])
})
