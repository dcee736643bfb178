import request from 'supertest'
import { beforeAll, expect, test } from 'vitest'
import { testPriceBook } from '#server/testing.ts'
import { createFileStorage, findFileStorage } from '#server/scanning/sources/index.ts'
import type { AllCalls } from './allCalls.ts'

/**
 * Tests that odd bodies, queries, paths and headers are refused or interpreted correctly, with the calls of file
 * storages.
 */
export function testHostileBodies({ app, platform, admin: ask }: AllCalls): void {
  const path = '/api/volumeSettings'
  const draft = { name: 'Data', path: '/data', storagePrice: { id: 0 } }
  beforeAll(async () => {
    draft.storagePrice = await testPriceBook(platform.db)
  })
  const count = async () => (await ask('GET', path)).body.total

  test('bodies that are not JSON, too large or of another kind change nothing', async () => {
    const deep = '['.repeat(200_000)
    const bodies: [string, number, string][] = [
      ['{', 400, 'The body is not valid JSON'],
      ['{"name":"a","path":"/a"', 400, 'The body is not valid JSON'],
      ['text', 400, 'The body is not valid JSON'],
      [deep, 400, 'The body is not valid JSON'],
      [`${deep}${']'.repeat(200_000)}`, 400, 'Validation errors'],
      [JSON.stringify({ ...draft, name: 'x'.repeat(1_100_000) }), 413, 'The body is too large'],
      [JSON.stringify({ ...draft, name: 'x'.repeat(10_000) }), 400, 'Validation errors'],
      ['[]', 400, 'Validation errors'],
      [JSON.stringify({ ...draft, name: '\0' }), 400, 'Validation errors'],
      ['{"name":{"$gt":""},"path":["/a"]}', 400, 'Validation errors'],
      ['{"__proto__":{"name":"a","path":"/a"}}', 400, 'Validation errors'],
      [
        JSON.stringify({ ...draft, server: { id: 99_999_999_999 } }),
        400,
        'The request holds a value that cannot be stored',
      ],
      ['{"name":"a","path":"/a","server":{"id":1e400}}', 400, 'Validation errors'],
    ]
    for (const [body, status, message] of bodies) {
      const answer = await ask('POST', path, body)
      expect([body.slice(0, 60), answer.status, answer.body.message]).toEqual([body.slice(0, 60), status, message])
    }
    expect(await count()).toBe(0)
  })

  test('a body of another content type or encoding is refused', async () => {
    const typed = (type: string) => ask('POST', path, 'name=a&path=/a').set('Content-Type', type)
    expect((await typed('application/x-www-form-urlencoded')).status).toBe(415)
    expect((await typed('text/plain')).status).toBe(415)
    expect((await typed('application/json; charset=latin1')).status).toBe(415)
    expect((await ask('POST', path, '{}').set('Content-Encoding', 'zip')).status).toBe(415)
    expect((await ask('POST', path)).body.subErrors).toEqual([{ field: 'body', message: 'is required' }])
  })

  test('a body of the sign-in is small', async () => {
    const answer = await ask('POST', '/api/login', { name: 'a', password: 'x'.repeat(20_000) })
    expect(answer.status).toBe(413)
  })

  test('odd queries are refused or mean nothing, and never break', async () => {
    const queries: [string, number][] = [
      ['page=9007199254740991&size=1000', 200],
      ['page=9007199254740993', 400],
      ['page=1e3', 400],
      ['page=-1', 400],
      ['page=1&page=2', 400],
      ['page[]=1', 400],
      ['page=NaN', 400],
      ['size=Infinity', 400],
      ['sort=id;DROP TABLE volumes', 400],
      ['sort=constructor', 400],
      ['sort=__proto__', 400],
      ['sort=name,desc,more', 200],
      ['sort=name&direction=sideways', 400],
      ['__proto__[size]=1', 400],
      [`filterType=${'x'.repeat(10_000)}`, 400],
      ["filterType=' OR 1=1 --", 200],
    ]
    for (const [query, status] of queries) {
      expect([query, (await ask('GET', `${path}?${query}`)).status]).toEqual([query, status])
    }
  })

  test('odd numbers in a path are refused or unknown', async () => {
    for (const [id, status] of [
      ['0', 400],
      ['-1', 400],
      ['1.5', 400],
      ['1e3', 400],
      ['99999999999', 400],
      ['%00', 400],
      ['%E0%A4%A', 400],
      ["1'--", 400],
    ] as const) {
      expect([id, (await ask('DELETE', `${path}/${id}`)).status]).toEqual([id, status])
    }
  })

  test('odd names are kept as they are', async () => {
    for (const name of ["Robert'); DROP TABLE volumes;--", '<script>alert(1)</script>', '🎬 "Reel" \\n', 'ａ']) {
      const { body } = await ask('POST', path, { ...draft, name }).expect(200)
      expect((await findFileStorage(platform.db, body.id))?.name).toBe(name)
    }
    await ask('POST', path, { ...draft, name: '\u202Egnp.exe' }).expect(400)
    await createFileStorage(platform.db, draft)
    expect(await count()).toBe(5)
  })

  test('odd cookies and headers are not a session', async () => {
    for (const cookie of [
      'SESSION',
      'SESSION=',
      '=x',
      ';;;',
      'SESSION=%00',
      `SESSION=${'x'.repeat(5_000)}`,
      '__proto__=1',
    ]) {
      const { status } = await request(app).get('/api/currentUserInfo').set('Cookie', cookie)
      expect([cookie, status]).toEqual([cookie, 401])
    }
  })
}
