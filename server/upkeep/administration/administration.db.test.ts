import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { Application } from '#events/administration.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { openLog } from '#server/platform/logger.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { sessionRoutes } from '#server/access/session/index.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { administrationRoutes, restartOnce } from './index.ts'

const platform = await testPlatform()
const { db, config } = platform
const folder = join(config.data, 'logs')
const session = await testSession(db, ['ROLE_ADMIN'])
let restarts = 0
const restart = restartOnce(() => void restarts++, 0)
const ask = asUser(createApp(platform, administrationRoutes(platform, restart)), session)

beforeEach(() => void (restarts = 0))

test('the application tells its version, since when it is up, and its stores with theirs', async () => {
  const { body } = await ask('GET', '/api/v1/administration/application').expect(200)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const results = Application.parse(body)
  expect(results).toMatchObject({ version, node: process.versions.node, settingsFolder: null })
  expect(Date.parse(results.upSince)).toBeLessThan(Date.now())
  expect(results.stores.map(({ name, isUp }) => [name, isUp])).toEqual([
    ['Postgres', true],
    ['ClickHouse', true],
    ['NATS', true],
  ])
  for (const { version } of results.stores) expect(version).toMatch(/^\d+\.\d/)
})

test('the API restarts once for any number of requests, and the event log names the user', async () => {
  await ask('POST', '/api/v1/servers/1/restart').expect(204)
  await ask('POST', '/api/v1/servers/1/restart').expect(204)
  await expect.poll(() => restarts).toBe(1)
  const events = await db.selectFrom('events').select(['type', 'actor']).where('stream', '=', 'api').execute()
  expect(events[0]).toEqual({ type: 'RestartOrdered', actor: expect.stringMatching(/^user-/) })
  expect((await ask('POST', '/api/v1/servers/7/restart').expect(404)).body.message).toBe('There is no API 7')
})

test('an API without a supervisor refuses to end', async () => {
  const alone = asUser(createApp(platform, administrationRoutes(platform)), session)
  const { body } = await alone('POST', '/api/v1/servers/1/restart').expect(409)
  expect(body.message).toBe('The program that started this API cannot restart it')
})

/** The files of an archive, from the directory at its end. */
function unzipped(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf('PK\x05\x06')
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [packed, nameLength, extra, comment] = [20, 28, 30, 32].map((offset, i) =>
      i === 0 ? zip.readUInt32LE(at + offset) : zip.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const head = zip.readUInt32LE(at + 42)
    const begin = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    files.set(name, inflateRawSync(zip.subarray(begin, begin + packed)).toString())
    at += 46 + nameLength + extra + comment
  }
  return files
}
const download = async () => {
  const { body, headers } = await ask('GET', '/api/administration/logs').responseType('blob').expect(200)
  return { name: headers['content-disposition'], files: unzipped(body as Buffer) }
}

test('the log of the day is empty before anything was logged', async () => {
  const { body } = await ask('GET', '/api/administration/logs/daily').responseType('blob').expect(200)
  expect((body as Buffer).toString()).toBe('')
})

test('the log is downloaded whole, and nothing else of its folder', async () => {
  mkdirSync(join(folder, 'inner'), { recursive: true })
  const large = 'a line of the log\n'.repeat(200_000)
  writeFileSync(join(folder, 'server.2026-01-01.1.log'), large)
  writeFileSync(join(folder, 'server.2026-01-02.1.log'), '')
  writeFileSync(join(folder, 'another.key'), 'a key')
  const { name, files } = await download()
  expect(name).toBe('attachment; filename=logs.zip')
  expect([...files]).toEqual([
    ['server.2026-01-01.1.log', large],
    ['server.2026-01-02.1.log', ''],
  ])
  await ask('GET', '/api/administration/logs').expect(200)
  const others = asUser(createApp(platform, administrationRoutes(platform)), await testSession(db, []))
  await others('GET', '/api/administration/logs').expect(403)
})

test('the log of the newest day is one file, its parts in the order in which they were written', async () => {
  writeFileSync(join(folder, 'server.2999-01-01.2.log'), 'second\n')
  writeFileSync(join(folder, 'server.2999-01-01.10.log'), 'third\n')
  writeFileSync(join(folder, 'server.2999-01-01.1.log'), 'first\n')
  const { body, headers } = await ask('GET', '/api/administration/logs/daily').responseType('blob').expect(200)
  expect(headers['content-disposition']).toBe('attachment; filename=server.2999-01-01.log')
  expect((body as Buffer).toString()).toBe('first\nsecond\nthird\n')
  for (const number of [1, 2, 10]) rmSync(join(folder, `server.2999-01-01.${number}.log`))
})

test('no password is in the downloaded log, after any failure', async () => {
  const planted = 'planted-SECRET-4417'
  const log = openLog(folder)
  const logged = { ...platform, log }
  const app = createApp(logged, [...sessionRoutes(logged), ...configurationRoutes(logged)])
  const [admin, visitor] = [asUser(app, session), asUser(app, undefined)]
  const { name } = await testUser(db, ['ROLE_ADMIN'], planted)
  await visitor('POST', '/api/login', { name, password: planted }).expect(200)
  await visitor('POST', '/api/login', { name: 'nobody', password: planted }).expect(401)
  await visitor('POST', '/api/login', `{"name":"${name}","password":"${planted}`).expect(400)
  await admin('PUT', '/api/configurations', [{ name: 'spring.mail.password', value: planted }]).expect(200)
  await admin('PUT', '/api/configurations', [{ name: 'jobRetention', value: planted }]).expect(400)
  log.error({ error: { password: planted, config: { secretKey: planted } }, seed: planted }, 'Something went wrong')
  const own = async () => [...(await download()).files.values()].join('')
  await expect.poll(own).toContain('Something went wrong')
  expect(await own()).not.toContain(planted)
})
