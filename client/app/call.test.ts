import { once } from 'node:events'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { changeTags } from '#events/tags.ts'
import { CallError, call, configureCalls, download } from './call.ts'

type Answered = { status: number; body: unknown; type?: string; disposition?: string }
let answered: Answered = { status: 200, body: {} }
let lastRequest: { method: string; url: string; headers: IncomingMessage['headers']; body: string }
let leftForSignIn = 0

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    lastRequest = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    response
      .writeHead(answered.status, {
        'content-type': answered.type ?? 'application/json',
        ...(answered.disposition && { 'content-disposition': answered.disposition }),
      })
      .end(JSON.stringify(answered.body))
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

beforeEach(() => {
  answered = { status: 200, body: {} }
  leftForSignIn = 0
  configureCalls({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cookies: () => 'other=1; XSRF-TOKEN=abc-123',
    signedOut: () => (leftForSignIn += 1),
  })
})

const readFilm = endpoint({
  method: 'GET',
  path: '/v1/films/:name',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to fetch the film [{name}]',
  params: z.object({ name: z.string() }),
  query: z.object({ year: z.number().optional(), kinds: z.array(z.string()) }),
  answer: z.object({ title: z.string() }),
})
const saveFilm = endpoint({
  method: 'POST',
  path: '/v1/films',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to save the film',
  body: z.object({ title: z.string() }),
})

test('a call goes to the address that its declaration and input make', async () => {
  answered.body = { title: 'Metropolis' }
  const film = await call(readFilm, { params: { name: 'a/b' }, query: { year: undefined, kinds: ['x', 'y'] } })
  expect(film).toEqual({ title: 'Metropolis' })
  expect(lastRequest.url).toBe('/api/v1/films/a%2Fb?kinds=x&kinds=y')
  expect(lastRequest.headers['x-xsrf-token']).toBeUndefined()
})

test('a call that changes something carries the cross-site token', async () => {
  await call(saveFilm, { body: { title: 'Metropolis' } })
  expect(lastRequest).toMatchObject({ method: 'POST', body: '{"title":"Metropolis"}' })
  expect(lastRequest.headers['x-xsrf-token']).toBe('abc-123')
})

test('a failure carries the words and the field errors of the server', async () => {
  const subErrors = [{ field: 'title', message: 'must not be blank' }]
  answered = { status: 400, body: { message: 'Validation errors', subErrors } }
  const failure = await call(saveFilm, { body: { title: '' } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CallError)
  expect(failure).toMatchObject({ status: 400, message: 'Validation errors', subErrors })
})

test('without words of the server the declaration has them', async () => {
  answered = { status: 502, body: 'Bad gateway' }
  await expect(call(saveFilm, { body: { title: 'x' } })).rejects.toThrow('Unable to save the film')
  const reading = call(readFilm, { params: { name: 'a/$&' }, query: { kinds: [] } })
  await expect(reading).rejects.toThrow('Unable to fetch the film [a/$&]')
})

test('checks of single folders use their own wording', async () => {
  answered = { status: 502, body: 'Bad gateway' }
  const of = (isDirectory: boolean) =>
    call(changeTags, { query: {}, body: { entries: [{ volumeId: 1, path: '/a', isDirectory }], add: ['x'] } })
  await expect(of(true)).rejects.toThrow('Unable to update folder')
  await expect(of(false)).rejects.toThrow('Unable to update file')
})

test('a page is not a valid answer, with any status', async () => {
  answered = { status: 200, body: '<h1>Welcome</h1>', type: 'text/html; charset=utf-8' }
  await expect(call(saveFilm, { body: { title: 'x' } })).rejects.toThrow('Unable to save the film')
})

test('redirects to the sign-in without a session', async () => {
  answered = { status: 401, body: { message: 'Sign in first' } }
  await expect(call(saveFilm, { body: { title: 'x' } })).rejects.toThrow('Sign in first')
  expect(leftForSignIn).toBe(1)
})

test('a wrong password is not a session that ended', async () => {
  answered = { status: 401, body: { message: 'Wrong' } }
  await expect(call({ ...saveFilm, needs: 'nothing' }, { body: { title: 'x' } })).rejects.toThrow('Wrong')
  expect(leftForSignIn).toBe(0)
})

test("an unreachable server is explained in the product's words, an abort is not its failure", async () => {
  const ended = AbortSignal.abort(new Error('left the screen'))
  await expect(call(saveFilm, { body: { title: 'x' } }, ended)).rejects.toThrow('left the screen')
  configureCalls({ base: 'http://127.0.0.1:1' })
  await expect(call(saveFilm, { body: { title: 'x' } })).rejects.toThrow(
    'An error occurred while trying to communicate with the API',
  )
})

const filmAsFile = endpoint({
  method: 'GET',
  path: '/v1/film/file',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to download the film',
  download: 'application/pdf',
})

test.each([
  ['attachment; filename=Rushes-2026-01.csv', 'Rushes-2026-01.csv'],
  ['attachment; filename="My rushes.csv"', 'My rushes.csv'],
  [
    `attachment; filename="?????? ???.pdf"; filename*=UTF-8''${encodeURIComponent('Проект 日本語.pdf')}`,
    'Проект 日本語.pdf',
  ],
])('a downloaded file has the name of its header, in all letters: %s', async (disposition, expected) => {
  Object.assign(answered, { disposition, type: 'application/pdf' })
  expect((await download(filmAsFile, {})).name).toBe(expected)
})

const grantFilm = endpoint({
  method: 'PUT',
  path: '/v1/films/rights',
  needs: 'settings.edit',
  failure: 'Unable to grant the rights',
  body: z.object({ name: z.string() }),
  confirm: ({ name }: { name: string }) => name === 'Metropolis',
})

test('a call that needs a confirmation is repeated until it is confirmed, or fails when the user cancels', async () => {
  const needed = { status: 403, body: { message: 'Confirm first', code: 'confirm' } }
  answered = needed
  let asked = 0
  const confirm = (isConfirmed: () => boolean) => configureCalls({ confirm: async () => ((asked += 1), isConfirmed()) })
  confirm(() => false)
  await expect(call(grantFilm, { body: { name: 'Metropolis' } })).rejects.toThrow('Confirm first')
  expect(asked).toBe(1)
  confirm(() => {
    if (asked === 3) answered = { status: 200, body: {} }
    return true
  })
  await call(grantFilm, { body: { name: 'Metropolis' } })
  expect([asked, lastRequest.body]).toEqual([3, '{"name":"Metropolis"}'])
  answered = needed
  await expect(call(grantFilm, { body: { name: 'M' } })).rejects.toThrow('Confirm first')
  await expect(call(saveFilm, { body: { title: 'M' } })).rejects.toThrow('Confirm first')
  expect(asked).toBe(3)
})
