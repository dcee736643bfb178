import { beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#server/platform/password.ts'
import { Problem } from '#server/platform/problem.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { type Counter, browserCounters, checkPassword, countFailure, strangerCounters } from './guessing.ts'

const db = await testDb()
const passwordHash = await hashPassword('right')
const noon = new Date('2026-01-01T12:00:00Z')
const after = (minutes: number, since = noon) => new Date(since.getTime() + minutes * 60_000)
beforeEach(() => db.deleteFrom('failedPasswords').execute())

const guess = (counters: Counter[], password = 'wrong', now = noon) =>
  checkPassword(db, counters, password, passwordHash, now)
/** Returns 'counted', or the wait in seconds. */
const failure = (counters: Counter[], now: Date): Promise<'counted' | number> =>
  countFailure(db, counters, now).then(
    () => 'counted' as const,
    (error: unknown) => (error instanceof Problem ? (error.retryAfterSeconds ?? 0) : Promise.reject(error)),
  )
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `203.0.113.${i}`)

test('guesses at an account from any addresses, at any times, have at most 100 failures in any hour', async () => {
  const failures: number[] = []
  for (let minute = 0; minute < 12 * 60; minute++) {
    for (const address of addresses(100)) {
      if ((await failure(strangerCounters('ana', address), after(minute))) !== 'counted') break
      failures.push(minute)
    }
    // A patient attacker waits until everything is forgotten.
    if (failures.length % 96 === 0) minute += 122
  }
  const inHours = failures.map((first) => failures.filter((at) => at >= first && at < first + 60).length)
  expect(Math.max(...inHours)).toBeGreaterThan(89)
  expect(Math.max(...inHours)).toBeLessThanOrEqual(100)
})

test('waiting doubles with each failure beyond the free ones, up to an hour, and a quiet time ends it', async () => {
  const counters = [{ name: 'one', free: 2 }]
  const waits: (string | number)[] = []
  let now = noon
  await failure(counters, now)
  for (let round = 0; round < 8; round++) {
    await failure(counters, now)
    const wait = await failure(counters, now)
    waits.push(wait)
    now = after(Number(wait) / 60, now)
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
  now = after(61, now)
  expect([await failure(counters, now), await failure(counters, now), await failure(counters, now)]).toEqual([
    'counted',
    'counted',
    60,
  ])
})

test('the right password counts nowhere, and is refused unheard while others guess', async () => {
  const counters = strangerCounters('ana', '203.0.113.1')
  for (let i = 0; i < 30; i++) expect(await guess(counters, 'right')).toBe(true)
  for (let i = 0; i < 10; i++) expect(await guess(counters)).toBe(false)
  await expect(guess(counters, 'right')).rejects.toMatchObject({
    status: 429,
    message: 'Too many failed sign-ins. Try again in 1 minute',
    retryAfterSeconds: 60,
  })
  expect(await guess(counters, 'right', after(1))).toBe(true)
  expect(await guess(strangerCounters('ana', '203.0.113.2'), 'right')).toBe(true)
  expect(await guess(strangerCounters('bo', '203.0.113.1'), 'right')).toBe(true)
})

test('a thousand simultaneous guesses are checked no more often than guesses in turn', async () => {
  const counters = [{ name: 'one', free: 5 }]
  const ends = await Promise.allSettled(Array.from({ length: 40 }, () => guess(counters)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('many users of one network who sign in at the same moment do not wait', async () => {
  const users = Array.from({ length: 20 }, (_, user) => strangerCounters(`user ${user}`, '203.0.113.1'))
  expect(await Promise.all(users.map((counters) => checkPassword(db, counters, 'right', passwordHash)))).toEqual(
    users.map(() => true),
  )
})

test('a wait that a wrong clock made longer than possible is not waited for', async () => {
  const counters = [{ name: 'one', free: 2 }]
  const ahead = after(40 * 24 * 60)
  for (let i = 0; i < 2; i++) await failure(counters, ahead)
  expect(await failure(counters, ahead)).toBe(60)
  expect(await failure(counters, noon)).toBe('counted')
  expect(await failure(counters, noon)).toBeLessThanOrEqual(3_600)
})

test('a browser that signed in before waits for its own failures alone', async () => {
  for (const address of addresses(100)) await failure(strangerCounters('ana', address), noon)
  await expect(guess(strangerCounters('Ana', '198.51.100.1'), 'right')).rejects.toThrow('Too many')
  expect(await guess(browserCounters('one'), 'right')).toBe(true)
})

test('addresses of IPv6 count by the network that one owner has', async () => {
  for (let host = 1; host <= 10; host++) await failure(strangerCounters('ana', `2001:db8:1:2::${host}`), noon)
  expect(await failure(strangerCounters('ANA', '2001:db8:1:2:ffff::1'), noon)).toBe(60)
  expect(await failure(strangerCounters('ana', '2001:db8:1:3::1'), noon)).toBe('counted')
})

test('counts are deleted an hour after their wait, and contain no name', async () => {
  await guess(strangerCounters('ana', '203.0.113.1'))
  const rows = await db.selectFrom('failedPasswords').selectAll().execute()
  expect(rows).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toContain('ana')
  await guess([{ name: 'another', free: 2 }], 'wrong', after(61))
  expect(await db.selectFrom('failedPasswords').selectAll().execute()).toHaveLength(1)
})
