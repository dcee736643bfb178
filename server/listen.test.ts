import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished, expect, test } from 'vitest'
import { maxPathLength } from '#events/entries.ts'
import { listen } from './listen.ts'

const local = { host: '127.0.0.1', port: 0 }

test('until all is ready a server says that it starts, and then its app answers', async () => {
  const { http, address, ready } = await listen(local)
  onTestFinished(() => void http.close())
  const early = await fetch(address)
  expect(early.status).toBe(503)
  expect(await early.json()).toEqual({ message: 'DataIntell is starting' })
  const page = await fetch(`${address}/wall`, { headers: { Accept: 'text/html,application/xhtml+xml' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await page.text()).toMatch(/<meta http-equiv="refresh" content="3">[^]*DataIntell is starting/)
  const call = await fetch(`${address}/api/v1/jobs`, { method: 'POST', headers: { Accept: 'text/html' } })
  expect(await call.json()).toEqual({ message: 'DataIntell is starting' })
  ready((_, response) => void response.end('here'))
  expect(await (await fetch(address)).text()).toBe('here')
})

test('a port that another program has is named', async () => {
  const { http, address } = await listen(local)
  onTestFinished(() => void http.close())
  const port = Number(new URL(address).port)
  await expect(listen({ ...local, port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use`)
})

test('an address may name the deepest path of letters beyond Latin, also as the return address of a sign-in', async () => {
  const { http, address, ready } = await listen(local)
  onTestFinished(() => void http.close())
  ready((request, response) => void response.end(new URL(request.url ?? '', address).searchParams.get('redirectTo')))
  const redirectTo = `/filemanagement?${new URLSearchParams({ path: `/${'日'.repeat(maxPathLength - 1)}`, volumeId: '1' })}`
  const answer = await fetch(`${address}/login?${new URLSearchParams({ redirectTo })}`)
  expect(await answer.text()).toBe(redirectTo)
})

/** A request that a server has received, and its answer. */
const requested = (address: string, agent = new Agent({ keepAlive: true })) =>
  new Promise<{ head: string | undefined; body: string }>((resolve, reject) => {
    get(address, { agent }, async (response) =>
      text(response).then((body) => resolve({ head: response.headers.connection, body }), reject),
    ).on('error', reject)
  })

test('a server that stops accepts no connections, and finishes the answers under way', async () => {
  const { address, ready, drain } = await listen(local)
  const finish: (() => void)[] = []
  ready(({ url }, response) => {
    if (url === '/quick') return void response.end('quick')
    if (url === '/begun') response.write('first half, ')
    finish.push(() => response.end('second half'))
  })
  const idle = new Agent({ keepAlive: true })
  await requested(`${address}/quick`, idle)
  const [waiting, begun] = [requested(`${address}/waiting`), requested(`${address}/begun`)]
  await expect.poll(() => finish.length).toBe(2)

  let isDrained = false
  const drained = drain(60_000).then(() => (isDrained = true))
  await expect(requested(address)).rejects.toThrow('ECONNREFUSED')
  await expect.poll(() => Object.keys(idle.freeSockets)).toEqual([])
  expect(isDrained).toBe(false)
  for (const end of finish) end()
  // A proxy sends no further request on a connection whose answer says that it is the last.
  expect(await waiting).toEqual({ head: 'close', body: 'second half' })
  expect(await begun).toMatchObject({ body: 'first half, second half' })
  await drained
})

test('a server that stops cuts an answer that takes longer than its limit', async () => {
  const { address, ready, drain } = await listen(local)
  let received = 0
  ready((_, response) => void (received++, response.write('one part')))
  const cut = requested(address)
  cut.catch(() => {})
  await expect.poll(() => received).toBe(1)
  await drain(10)
  await expect(cut).rejects.toThrow('aborted')
})
