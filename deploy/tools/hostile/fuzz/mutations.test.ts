import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { mutations } from './mutations.ts'
import { type Lane, portOf, startProxy } from './proxy.ts'

const page = { objects: [{ id: 'a', parent_id: 'b', name: 'x' }], next_cursor: null, total: 1 }
const xml = '<List><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></List>'
const place = { url: 'http://a/b?c', trap: 'http://t' }

test.each(Object.entries(mutations))(
  '%s can be made of JSON, XML and an empty answer, and is the same for the same seed',
  (_, mutation) => {
    for (let seed = 0; seed < 10; seed++)
      for (const text of [JSON.stringify(page), xml, '']) {
        const changed = () => {
          const correct = { status: 200, headers: { 'content-type': 'x' }, body: Buffer.from(text) }
          const { body, ...rest } = mutation(correct, newRandom(seed), place)
          return { ...rest, body: hash('sha1', body) }
        }
        expect(changed()).toEqual(changed())
      }
  },
)

test('a proxy changes the answers after some correct ones, and then passes them on again', async () => {
  const server = createServer((_, response) => response.end('[]'))
  const upstream = `http://127.0.0.1:${await portOf(server)}`
  onTestFinished(() => void server.close())
  const change = { mutation: 'a redirect', seed: 1, skip: 1, times: 2 }
  const lane: Lane = { change, answers: 0, turn: Promise.resolve() }
  const proxy = await startProxy({ lane, upstream: () => upstream, trap: '' })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await fetch(proxy, { redirect: 'manual' })).status)
  expect(statuses.map((status) => status === 200)).toEqual([true, false, false, true])
  expect(lane.answers).toBe(4)
})
