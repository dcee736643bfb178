import { beforeEach, expect, test } from 'vitest'
import { clockProblem } from '#events/health.ts'
import { createApp } from '#server/app.ts'
import { healthRoutes } from '#server/messages/health/index.ts'
import { findProblems } from '#server/messages/health/findProblems.ts'
import { readProblems, watchHealth } from '#server/messages/health/watchHealth.ts'
import { record } from '#server/platform/log/audit.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { asUser, testSession } from '#server/testing.ts'
import { readClock, whileClockIsPlausible } from './clock.ts'
import { testPlatform } from './testing/stores.ts'

const platform = await testPlatform()
const { db } = platform
const start = new Date('2026-11-27T12:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * 24 * 3_600_000)
const isPlausible = async (days: number) => (await readClock(db, after(days))).isPlausible
const trust = (trustedAt: Date) => db.insertInto('trustedClock').values({ trustedAt }).execute()
const hasProblem = async () => (await findProblems(platform, new Set())).some(({ key }) => key === clockProblem)

beforeEach(() => db.deleteFrom('trustedClock').execute())

test('the clock is compared with the newest event at first, and then follows in small steps', async () => {
  await db.transaction().execute((trx) => record(trx, 'api', system, { type: 'RestartOrdered' }))
  await db
    .updateTable('events')
    .set({ at: start.toISOString() } as never)
    .execute()
  expect(await isPlausible(730)).toBe(false)
  expect(await isPlausible(0)).toBe(true)
  for (let day = 1; day <= 10; day++) expect([day, await isPlausible(day)]).toEqual([day, true])
  expect(await isPlausible(12.1)).toBe(false)
  expect(await isPlausible(11.9)).toBe(true)
})

test('neither restarts nor events of a wrong clock make it plausible, and the right one is at once', async () => {
  await trust(start)
  for (let round = 0; round < 3; round++) {
    expect(await isPlausible(730)).toBe(false)
    await db.transaction().execute((trx) => record(trx, 'api', system, { type: 'RestartOrdered' }))
    await db
      .updateTable('events')
      .set({ at: after(730).toISOString() } as never)
      .execute()
  }
  expect(await isPlausible(0.5)).toBe(true)
})

test('a clock that was reset to the past is not plausible either, and does not move the trusted time', async () => {
  await trust(start)
  expect(await isPlausible(-20_000)).toBe(false)
  expect(await isPlausible(-1)).toBe(true)
  expect(await isPlausible(1)).toBe(true)
  expect(await isPlausible(2.5)).toBe(true)
})

test('irreversible work waits until an administrator confirms the date', async () => {
  await trust(new Date(Date.now() - 5 * 24 * 3_600_000))
  let done = 0
  const work = () => whileClockIsPlausible(db, async () => void done++)
  await work()
  expect([done, await hasProblem()]).toEqual([0, true])
  await watchHealth(platform)
  expect((await readProblems(db)).find(({ key }) => key === clockProblem)?.message).toMatch(
    /^The clock of the server shows \d{4}-\d\d-\d\d, but the last known date is \d{4}-\d\d-\d\d\. /,
  )
  const app = createApp(platform, healthRoutes(platform))
  const viewer = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
  await viewer('POST', '/api/v1/health/clock').expect(403)
  await asUser(app, await testSession(db, ['ROLE_ADMIN']))('POST', '/api/v1/health/clock').expect(204)
  expect((await readProblems(db)).some(({ key }) => key === clockProblem)).toBe(false)
  await work()
  expect([done, await hasProblem()]).toEqual([1, false])
  const confirmed = await db.selectFrom('events').select('actor').where('type', '=', 'ClockConfirmed').execute()
  expect(confirmed).toEqual([{ actor: expect.stringMatching(/^user-/) }])
})
