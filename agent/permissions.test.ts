import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { startLocalNats } from '#deploy/local/stores/natsServer.ts'
import { readKey } from '#deploy/local/stores/natsServer.ts'
import { ensureStreams, openNats } from '#server/platform/nats/nats.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { totals } from './testing/decodeRows.ts'
import { makeOddTree } from './testing/oddTree.ts'
import { takeScans } from './testing/sentScans.ts'
import { serverSide } from './testing/serverSide.ts'
import { startAgent } from './testing/startAgent.ts'
import { orderOf } from './testing/walked.ts'

const folder = testFolder('nats')
const local = await startLocalNats(folder, inject('stores').natsProgram)
afterAll(() => local.stop())
const nats = await openNats(local.url, { seed: local.natsCredential })
afterAll(() => nats.close())
await ensureStreams(nats)

const natsLog = () => readFileSync(join(folder, 'nats/nats.log'), 'utf8')

test('an agent works with only the permissions of its own ID', async () => {
  const server = await serverSide(nats, 1)
  const scans = await takeScans(nats)
  await scans.takeBatches()
  server.answer()
  startAgent(local.url, 1, { AGENT_SEED: local.agentSeed })
  const root = testFolder()
  makeOddTree(root)
  await server.queue(10, orderOf(root, { scanId: 100 }))
  await scans.untilComplete(100)
  expect(totals(scans.rows(100)).files).toBeGreaterThan(0)
  await server.cancel(10)
  await expect.poll(server.waiting).toBe(0)
  expect(natsLog()).not.toContain('Violation')
})

test('an agent with an unknown key is refused, keeps trying, and stops on request', async () => {
  const stranger = readKey(testFolder('keys'), 'stranger')
  const { child, ended } = startAgent(local.url, 1, { AGENT_SEED: stranger.seed, LOG_LEVEL: 'silent' })
  await expect.poll(natsLog).toContain('authentication error')
  child.kill('SIGTERM')
  await ended
  expect(child.exitCode).toBe(0)
})
