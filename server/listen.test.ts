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

test('an address may name the deepest path of letters beyond Latin, also as what a sign-in comes back to', async () => {
  const { http, address, ready } = await listen(local)
  onTestFinished(() => void http.close())
  ready((request, response) => void response.end(new URL(request.url ?? '', address).searchParams.get('redirectTo')))
  const redirectTo = `/filemanagement?${new URLSearchParams({ path: `/${'日'.repeat(maxPathLength - 1)}`, volumeId: '1' })}`
  const answer = await fetch(`${address}/login?${new URLSearchParams({ redirectTo })}`)
  expect(await answer.text()).toBe(redirectTo)
})
