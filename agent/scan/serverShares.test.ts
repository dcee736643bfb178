import { expect, test } from 'vitest'
import { joinServer } from './serverShares.ts'

test('scans of one server share its limit for as long as they use it, and each may use at least one', () => {
  const one = joinServer('nas1')
  expect(one.share(64)).toBe(64)
  const [two, three] = [joinServer('nas1'), joinServer('nas1')]
  const other = joinServer('nas2')
  expect([one, two, three].map(({ share }) => share(64))).toEqual([21, 21, 21])
  expect(one.share(2)).toBe(1)
  expect(other.share(64)).toBe(64)
  two.leave()
  two.leave()
  expect(one.share(64)).toBe(32)
  for (const server of [one, three, other]) server.leave()
})

test('a server that asks one scan to wait holds the requests of all its scans, and of no others', () => {
  const [one, two, other] = [joinServer('nas1'), joinServer('nas1'), joinServer('nas2')]
  one.hold(10_000)
  // A shorter time does not end the longer one.
  two.hold(10)
  for (const server of [one, two]) expect(server.waitMs()).toBeGreaterThan(9_000)
  expect(other.waitMs()).toBe(0)
  for (const server of [one, two, other]) server.leave()
  // A scan that starts after the others have ended has to wait, too.
  const later = joinServer('nas1')
  expect(later.waitMs()).toBeGreaterThan(9_000)
  expect(later.share(64)).toBe(64)
  later.leave()
})

test('requests that were held do not all start at the same time', () => {
  const server = joinServer('nas3')
  server.hold(10_000)
  const waits = Array.from({ length: 50 }, server.waitMs)
  expect(Math.min(...waits)).toBeGreaterThan(9_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(12_500)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(1_000)
  server.leave()
})
