import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type FlushAnswer, flushHeaders } from '#events/feeds/flushes.ts'
import { type FollowOrder, FollowRequest } from '#events/feeds/follow.ts'
import { subjects } from '#events/subjects.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { decodeRows, isListed, pathOf } from '#agent/testing/decodeRows.ts'
import { readConfig } from '../config.ts'
import { openConnection } from '../connection.ts'
import { readMachine } from '../machine.ts'
import { startFollowing } from './follow.ts'
import { followOrder, ways } from './testing.ts'

const nats = await testNats()
const { url } = await testNatsServer()

/** An agent that follows what `orders` has, and the server's side of it. */
async function following(agentId: number, orders: FollowOrder[], answers: FlushAnswer[] = []) {
  const requests: FollowRequest[] = []
  const flushes: { session: string; number: string; last: string; folders: string[] }[] = []
  nats.connection.subscribe(subjects.follow(agentId), {
    callback(_, message) {
      requests.push(FollowRequest.parse(message.json()))
      message.respond(JSON.stringify({ follow: orders }))
    },
  })
  nats.connection.subscribe(subjects.flush(agentId), {
    callback(_, message) {
      const header = (name: keyof typeof flushHeaders) => message.headers?.get(flushHeaders[name]) ?? ''
      const folders = decodeRows(message.data).filter(isListed).map(pathOf)
      flushes.push({ session: header('session'), number: header('number'), last: header('last'), folders })
      const shown: FlushAnswer = { type: 'shown', asOf: Date.now(), list: [] }
      message.respond(JSON.stringify(answers.shift() ?? shown))
    },
  })
  const config = readConfig({ NATS_URL: url, AGENT_ID: String(agentId), AGENT_STATE: testFolder('state') })
  const machine = readMachine(config.state, 'run')
  const connection = await openConnection(config, { run: 'run', machine }, pino({ level: 'silent' }))
  const follow = startFollowing({ connection, state: config.state })
  onTestFinished(async () => {
    await follow.stop()
    await connection.nats.close()
  })
  return {
    requests,
    flushes,
    refollow: () => nats.connection.publish(subjects.refollow(agentId)),
    state: () => requests.at(-1)?.statuses.map(({ state, reason }) => reason ?? state),
  }
}

test.skipIf(ways.length === 0)('follows what the server names, and asks again when a flush is refused', async () => {
  const root = testFolder()
  mkdirSync(join(root, 'a'))
  const orders: FollowOrder[] = [followOrder(root)]
  const { flushes, refollow, state, requests } = await following(71, orders, [{ type: 'over', reason: 'Another scan' }])
  await expect.poll(() => (refollow(), state()), { interval: 300 }).toEqual(['LIVE'])
  writeFileSync(join(root, 'a/file'), '')
  const [first] = orders
  await expect.poll(() => flushes.length).toBeGreaterThan(1)
  expect(flushes[0]).toEqual({ session: first?.session, number: '1', last: 'true', folders: ['/a'] })
  const baseStartedAt = new Date(Date.now() - 60_000).toISOString()
  const next = followOrder(root, { baseStartedAt })
  orders[0] = next
  refollow()
  await expect.poll(() => flushes.at(-1)).toEqual({ session: next.session, number: '1', last: 'true', folders: ['/a'] })
  orders.length = 0
  await expect.poll(() => (refollow(), state()), { interval: 300 }).toEqual([])
  expect(requests.every(({ run }) => run === 'run')).toBe(true)
})

test('says that other kinds of storage are not followed', async () => {
  const mount = { type: 'NFS', host: 'nas', shareName: '/media', options: '', credential: null } as const
  const order: FollowOrder = { ...followOrder('/'), source: { kind: 'networkShare', path: '/', mount } }
  const { refollow, state } = await following(72, [order])
  await expect
    .poll(() => (refollow(), state()), { interval: 300 })
    .toEqual(["Changes of this kind of storage can't be followed; it is scanned as scheduled."])
})
