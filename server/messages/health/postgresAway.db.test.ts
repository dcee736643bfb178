import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testDatabaseUrl, testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from '#server/app.ts'
import { asUser, testSession } from '#server/testing.ts'
import { fileStorageRoutes } from '#server/scanning/sources/index.ts'

/** A proxy to a port that can be cut off and restored. */
async function wayTo(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const way = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => (near.destroy(), far.destroy(), sockets.delete(socket)))
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => (cut(), void way.close()))
  return { port: (way.address() as AddressInfo).port, cut, mend: () => (isCut = false) }
}

test('a Postgres that stops fails calls with the reason, and they work again when it returns', async () => {
  const platform = await testPlatform()
  const url = new URL(await testDatabaseUrl())
  const way = await wayTo(Number(url.port))
  url.port = String(way.port)
  url.hostname = '127.0.0.1'
  const db = openPostgres(url.href)
  onTestFinished(() => db.destroy())
  const app = createApp({ ...platform, db }, fileStorageRoutes({ ...platform, db }))
  const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))
  const list = () => ask('GET', '/api/volumeSettings')

  expect((await list()).status).toBe(200)
  way.cut()
  const { status, body } = await list()
  expect([status, body.message]).toEqual([503, 'Not available right now: Postgres cannot be reached'])
  expect((await ask('POST', '/api/volumeSettings', { name: 'A', path: '/a' })).status).toBe(503)
  expect((await ask('GET', '/actuator/health')).status).toBe(503)
  way.mend()
  expect((await list()).body).toMatchObject({ total: 0 })
  expect((await ask('GET', '/actuator/health')).status).toBe(200)
})
