import { once } from 'node:events'
import { beforeEach, expect, test } from 'vitest'
import { endpoint } from '#events/contract/endpoint.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { inOnePiece } from '#server/platform/http/download.ts'
import { route } from '#server/platform/http/route.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'

const file = endpoint({
  method: 'GET',
  path: '/file',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to download the file',
  download: 'text/csv',
})
const platform = await testPlatform()
const { db } = platform
/** Names of users with a download in progress; all end together. */
let open: string[] = []
let end = Promise.withResolvers<void>()
const download = route(file, async (_, { name, signal }) => {
  open.push(name)
  await Promise.race([end.promise, once(signal, 'abort')])
  return { name: 'a.csv', ...inOnePiece(Buffer.from(name)) }
})
beforeEach(() => {
  open = []
  end = Promise.withResolvers()
})
const app = createApp(platform, [download, ...configurationRoutes(platform)])
const signedIn = async (...roles: Parameters<typeof testUser>[1]) => {
  const { id, name } = await testUser(db, roles)
  return { name, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
const admin = await signedIn('ROLE_ADMIN')
const openOf = ({ name }: { name: string }) => open.filter((by) => by === name).length
const get = async ({ ask }: typeof admin) => {
  const { status, headers, body } = await ask('GET', '/api/file')
  return { status, retryAfter: headers['retry-after'], body }
}

test("two of a user's twelve downloads run, eight wait and two are refused; other users' start at once", async () => {
  const ana = await signedIn()
  const all = Array.from({ length: 12 }, () => get(ana))
  expect(await Promise.race(all)).toEqual({
    status: 429,
    retryAfter: '30',
    body: {
      code: 'limit-exportsPerUser',
      message: 'You have 2 downloads in progress, the maximum. Try again in 30 seconds.',
    },
  })
  await expect.poll(() => openOf(ana)).toBe(2)
  const other = get(admin)
  await expect.poll(() => openOf(admin)).toBe(1)
  expect(openOf(ana)).toBe(2)
  end.resolve()
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(200), 429, 429])
  expect((await other).status).toBe(200)
})

test('administrators change how many downloads a user may have, from the next one on', async () => {
  const set = (value: string) => admin.ask('PUT', '/api/configurations', [{ name: 'exportsPerUser', value }])
  const ana = await signedIn()
  await set('3').expect(200)
  const all = Array.from({ length: 5 }, () => get(ana))
  await expect.poll(() => openOf(ana)).toBe(3)
  end.resolve()
  await Promise.all(all)
  expect((await set('0').expect(400)).body.subErrors[0].message).toBe('Value must be a positive number')
  expect((await set('21').expect(400)).body.subErrors[0].message).toBe('Value must be at most 20')
  await set('2').expect(200)
})
