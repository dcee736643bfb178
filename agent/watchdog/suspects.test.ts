import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { subjects } from '#events/subjects.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { takeScans } from '../testing/sentScans.ts'
import { serverSide } from '../testing/serverSide.ts'
import { startAgent } from '../testing/startAgent.ts'
import { orderOf } from '../testing/walked.ts'

const nats = await testNats()
const { url } = await testNatsServer()
const scans = await takeScans(nats)
await scans.takeBatches()

/** The folder of an agent that hung before, as often as stated for each task. */
function stateAfter(hung: [taskId: number, hangs: number][]): string {
  const state = join(realpathSync(testFolder('hung')), 'state')
  mkdirSync(state)
  writeFileSync(join(state, 'hung.json'), JSON.stringify(hung))
  return state
}

test('a task that hung the agent runs again alone, and stops being a suspect when it ended', async () => {
  const state = stateAfter([[11, 1]])
  const server = await serverSide(nats, 1)
  server.answer()
  const small = testFolder('small')
  await server.queue(10, orderOf('/usr/share', { scanId: 100 }))
  await server.queue(11, orderOf(small, { scanId: 101 }))
  await server.queue(12, orderOf(small, { scanId: 102 }))
  startAgent(url, 1, { AGENT_STATE: state })
  await scans.untilSaid(101, 'started')
  expect(scans.events(100).at(-1)?.type).toBe('completed')
  expect(scans.events(102)).toEqual([])
  await scans.untilSaid(101, 'completed')
  await scans.untilSaid(102, 'completed')
  await expect.poll(() => existsSync(join(state, 'hung.json'))).toBe(false)
})

test('a task that hung the agent twice ends with that reason, and others continue', async () => {
  const server = await serverSide(nats, 2)
  server.answer()
  const small = testFolder('small')
  await server.queue(20, orderOf(small, { scanId: 200 }))
  await server.queue(21, orderOf(small, { scanId: 201 }))
  startAgent(url, 2, { AGENT_STATE: stateAfter([[20, 2]]) })
  expect(await scans.untilSaid(200, 'failed')).toMatchObject({
    reason: expect.stringMatching(/^The agent stopped responding twice while it ran this task/),
  })
  await scans.untilSaid(201, 'completed')
  await expect.poll(server.waiting).toBe(0)
})

test('the server receives the reason why an agent refuses a request that hung it', async () => {
  const state = stateAfter([])
  const look = JSON.stringify({ kind: 'folder', path: '/usr/share' })
  const key = createHash('sha256')
    .update(`${subjects.look(3)} ${look}`)
    .digest('base64url')
  writeFileSync(join(state, 'hung.json'), JSON.stringify({ tasks: [], requests: [[key, Date.now()]] }))
  const server = await serverSide(nats, 3)
  server.answer()
  startAgent(url, 3, { AGENT_STATE: state })
  await server.queue(30, orderOf(testFolder('small'), { scanId: 300 }))
  await scans.untilSaid(300, 'completed')
  const asked = askAgent(nats, subjects.look(3), JSON.parse(look), { answer: z.unknown(), timeoutMs: 20_000 })
  await expect(asked).rejects.toThrow(/^The agent stopped responding while it worked on this request/)
})
