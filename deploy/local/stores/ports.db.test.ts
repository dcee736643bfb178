import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startLocalPostgres } from './index.ts'
import { portsFor, storePorts } from './ports.ts'
import { quiet, testStores } from './testing/startStores.ts'

const { start, stops } = testStores()

const dataFolder = () => testFolder('ports')

test('ports of stores are outside the range of outgoing connections, and of likely ports of a product', async () => {
  const [first = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number)
  const { databaseUrl, natsUrl } = await start(dataFolder())
  for (const port of [databaseUrl, natsUrl].map((url) => Number(new URL(url).port))) {
    expect(port).toBeLessThan(Math.min(first, 32_768))
    expect(port).toBeGreaterThanOrEqual(storePorts.from)
    expect(port).toBeLessThan(storePorts.to)
  }
})

test('a store keeps its port, unless that is in use, avoided or of an earlier version', async () => {
  const data = dataFolder()
  const findPort = portsFor(data, 'a store')
  const port = await findPort()
  expect([await findPort(), await findPort(port), await findPort(18_697)]).toEqual([port, port, port])
  const others = await Promise.all(Array.from({ length: 20 }, (_, i) => portsFor(`${data} ${i}`, 'a store')()))
  expect(new Set(others).size).toBeGreaterThan(10)
  const taken = createServer().listen(port, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const next = await findPort(port)
  expect(next).not.toBe(port)
  expect(await findPort(next)).toBe(next)
  expect(await portsFor(data, 'a store', [next])(port)).not.toBe(next)
})

test('stores have the same ports after a restart, also where another program had their first ones', async () => {
  const data = dataFolder()
  const blocked = createServer().listen(await portsFor(data, 'Postgres')(), '127.0.0.1')
  await once(blocked, 'listening')
  const before = await start(data)
  await before.stop()
  blocked.close()
  await once(blocked, 'close')
  const after = await start(data)
  expect([after.databaseUrl, after.natsUrl]).toEqual([before.databaseUrl, before.natsUrl])
})

test('several products on one machine start at the same moment, even from the same first port', async () => {
  const folders = [dataFolder(), dataFolder(), dataFolder()]
  const findPort = portsFor('the same for all', 'Postgres')
  const started = await Promise.all(folders.map((data) => startLocalPostgres(data, quiet, { findPort })))
  stops.push(...started.map(({ stop }) => stop))
  expect(new Set(started.map(({ url }) => new URL(url).port)).size).toBe(folders.length)
})
