import { onTestFinished, expect, test } from 'vitest'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { drawMutation, type SentAnswer } from './mutations.ts'
import { newLane, startProxy } from './proxy.ts'

const page = { objects: [{ id: 'a', parent_id: 'b', name: 'x' }], next_cursor: null, total: 1 }
const xml = '<List><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></List>'
const answerWith = (body: string): SentAnswer => ({
  status: 200,
  headers: { 'content-type': 'x' },
  body: Buffer.from(body),
})
const changed = (seed: number, body: string) => {
  const { name, change } = drawMutation(newRandom(seed), false)
  return {
    name,
    ...change(answerWith(body), { random: newRandom(seed), count: 1, url: 'http://a/b?c', trap: 'http://t' }),
  }
}

test('each change can be made to JSON, XML and an empty answer, and is the same for the same seed', () => {
  const names = new Set<string>()
  for (let seed = 0; seed < 150; seed++)
    for (const body of [JSON.stringify(page), xml, '']) {
      const { name } = drawMutation(newRandom(seed), false)
      // Large texts take long, and have the same code.
      if (/\d{6}|MB/.test(name)) continue
      names.add(name.replaceAll(/\d+/g, 'N'))
      expect(changed(seed, body)).toEqual(changed(seed, body))
    }
  expect(names.size).toBeGreaterThan(20)
})

test('a proxy changes the answers after some correct ones, and then passes them on again', async () => {
  const server = createServer((_, response) => response.end('[]')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const lane = newLane()
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy = await startProxy({ lane, upstream: () => upstream, trap: '' })
  onTestFinished(() => void proxy.close())
  const mutation = { name: 'a number', change: (answer: SentAnswer) => ({ ...answer, body: Buffer.from('7') }) }
  lane.arm({ mutation, seed: 1, skip: 1, times: 2 })
  const texts: string[] = []
  for (let i = 0; i < 4; i++) texts.push(await (await fetch(proxy.url)).text())
  expect(texts).toEqual(['[]', '7', '7', '[]'])
  expect(lane.counts()).toEqual({ answers: 4, changed: 2 })
})
