import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { listen } from '#server/listen.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { livenessPath, readinessPath } from './probes.ts'

const platform = await testPlatform()

async function startListening() {
  const { http, address, ready } = await listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  const statusOf = async (path: string) => (await fetch(`${address}${path}`)).status
  return { ready, statusOf }
}

test('a server that migrates its stores is alive and not ready, so no supervisor ends it and no user is sent there', async () => {
  const { ready, statusOf } = await startListening()
  expect([await statusOf(livenessPath), await statusOf(readinessPath)]).toEqual([200, 503])
  ready(createApp(platform, []))
  expect([await statusOf(livenessPath), await statusOf(readinessPath)]).toEqual([200, 200])
})

test('while Postgres accepts connections and never answers, both probes answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const db = openPostgres(`postgres://x:x@127.0.0.1:${port}/x`)
  onTestFinished(async () => {
    silent.close()
    void db.destroy()
  })
  const { ready, statusOf } = await startListening()
  ready(createApp({ ...platform, db }, []))
  expect([await statusOf(livenessPath), await statusOf(readinessPath)]).toEqual([200, 200])
})
