import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { StoreBusy } from '../../systems/system.ts'
import { forever } from '../../systems/testing.ts'
import { joinServer } from '../serverShares.ts'
import { newRequests } from './requests.ts'

const system = { requests: () => 7 }

/** Two scans of one server. */
function twoScans(key: string, requestsAtOnce: number) {
  const servers = [joinServer(key), joinServer(key)]
  return { servers, scans: servers.map((server) => newRequests({}, { ...system, requestsAtOnce }, server)) }
}

// As in ClickHouse/ClickHouse#80035 and scylladb/scylladb#30775, where only the refused request waited.
test('while a server asks one scan to wait, no request of any scan of it starts', async () => {
  const { servers, scans } = twoScans('asks to wait', 8)
  let asked = 0
  let isHeld = false
  let askedMeanwhile = 0
  const ask = async () => {
    if (isHeld) askedMeanwhile++
    await wait(2)
    if (++asked !== 20) return
    setImmediate(() => (isHeld = true))
    setTimeout(() => (isHeld = false), 480)
    throw new StoreBusy('SlowDown', 500)
  }
  await Promise.all(scans.flatMap(({ run }) => Array.from({ length: 40 }, () => run(ask, forever))))
  expect(asked).toBe(81)
  expect(askedMeanwhile).toBe(0)
  for (const server of servers) server.leave()
})

test('scans of one server share its limit', async () => {
  const { servers, scans } = twoScans('shares', 8)
  let inFlight = 0
  let maxInFlight = 0
  const ask = async () => {
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    await wait(1)
    inFlight--
  }
  await Promise.all(scans.flatMap(({ run }) => Array.from({ length: 300 }, () => run(ask, forever))))
  expect(maxInFlight).toBe(8)
  expect(scans.map(({ max }) => max())).toEqual([4, 4])
  for (const server of servers) server.leave()
})

test('a request that is refused waits for its turn like others, so that a lowered limit holds', async () => {
  const server = joinServer('refuses')
  const { run, limit } = newRequests({}, system, server)
  let inFlight = 0
  let tooMany = 0
  const ask = async () => {
    inFlight++
    if (inFlight > limit()) tooMany++
    await wait(1)
    inFlight--
    if (Math.random() < 0.2) throw new StoreBusy('SlowDown', 2)
  }
  await Promise.all(Array.from({ length: 100 }, () => run(ask, forever)))
  expect(tooMany).toBe(0)
  server.leave()
})

test('waiting for a server ends with the reason of an abort', async () => {
  const server = joinServer('waits')
  server.hold(60_000)
  const controller = new AbortController()
  const waiting = newRequests({}, system, server).run(async () => 1, controller.signal)
  controller.abort(new Error('Paused'))
  await expect(waiting).rejects.toThrow('Paused')
  server.leave()
})

test('the number of requests and the pace are reported', async () => {
  const server = joinServer('reports')
  const requests = newRequests({}, system, server)
  expect(requests.measured()).toEqual({ requests: 7, pace: { inFlight: 0, latencyMs: 0 } })
  const during = await requests.run(async () => (await wait(5), requests.measured().pace.inFlight), forever)
  expect(during).toBe(1)
  expect(requests.measured().pace.latencyMs).toBeGreaterThan(1)
  server.leave()
})
