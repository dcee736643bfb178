import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createInbox } from 'nats'
import { type Heartbeat, type HeartbeatAnswer, protocolVersion } from '#events/agents.ts'
import type { LiveEvent } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { listAgentInfos } from './agentInfos.ts'
import { startPresence } from '#server/workers/tasks/index.ts'
import { startAgentWatch } from './watchAgents.ts'

const platform = await testPlatform()
const { db, nats } = platform
const presence = startPresence(platform)
afterAll(() => presence.stop())
const { id: agentId } = await db
  .insertInto('agents')
  .values({ name: 'north' })
  .returning('id')
  .executeTakeFirstOrThrow()

const machine = { id: 'a machine', boot: 'a boot', pid: 7 }
const beat: Heartbeat = {
  run: 'a run',
  version: '1',
  protocol: protocolVersion,
  host: 'north.example',
  tasks: [42],
  memory: 1,
  machine,
}
const say = (payload: string) => nats.connection.publish(subjects.heartbeat(agentId), payload)

test('an agent that never spoke is unknown, one that speaks is active, one that is silent for 15 s is inactive', async () => {
  const state = async (later = 0) => (await listAgentInfos(db, new Date(Date.now() + later)))[0]?.state
  expect(await state()).toBe('unknown')
  say(JSON.stringify(beat))
  await expect.poll(() => state()).toBe('active')
  expect(await state(14_000)).toBe('active')
  expect(await state(16_000)).toBe('inactive')
})

test('a heartbeat renews the lease of the tasks that the agent works on', async () => {
  const before = Date.now()
  expect(presence.lastWorkedOn(43)).toBeLessThanOrEqual(before)
  say(JSON.stringify({ ...beat, tasks: [43] }))
  await expect.poll(() => presence.lastWorkedOn(43)).toBeGreaterThanOrEqual(before)
})

test('a second process with the same key renews no leases, is answered below its inbox, and changes nothing shown', async () => {
  const second = { ...beat, run: 'another run', version: 'another', host: 'south', tasks: [44, 45] }
  const answered = (payload: object): Promise<HeartbeatAnswer> => {
    const reply = createInbox(`_INBOX_agent-${agentId}`)
    const options = { timeout: 10_000, noMux: true, reply }
    return nats.connection
      .request(subjects.heartbeat(agentId), JSON.stringify(payload), options)
      .then((message) => message.json())
  }
  const before = Date.now()
  expect(await answered(beat)).toEqual({ type: 'accepted' })
  const { boot, pid } = machine
  expect(await answered(second)).toEqual({
    type: 'refused',
    reason: expect.stringMatching(/belongs to north\.example \(.* This is south \(.* gets no tasks/),
    holder: { boot, pid },
  })
  expect(await answered({ ...beat, tasks: [46] })).toEqual({ type: 'accepted' })
  expect(presence.lastWorkedOn(46)).toBeGreaterThanOrEqual(before)
  expect(presence.lastWorkedOn(44)).toBeLessThan(before)
  const [info] = await listAgentInfos(db, new Date())
  expect(info).toMatchObject({ version: '1', machine: expect.stringContaining('north.example') })
  await db.updateTable('agents').set({ refused: null }).where('id', '=', agentId).execute()
})

test('an invalid heartbeat is ignored', async () => {
  say('no heartbeat')
  say(JSON.stringify({ run: 1 }))
  const garbage = [
    { host: 'a\0b' },
    { version: 'x'.repeat(65) },
    { tasks: Array.from({ length: 10_001 }, () => 1) },
    { machine: { ...machine, id: 'x'.repeat(65) } },
    { machine: { ...machine, pid: 2 ** 31 } },
    { gone: { boot: 'a\nb', pid: 1 } },
  ]
  for (const wrong of garbage) say(JSON.stringify({ ...beat, version: 'wrong', ...wrong }))
  say(JSON.stringify({ ...beat, version: '2' }))
  const versions = new Set<unknown>()
  await expect
    .poll(async () => {
      const [info] = await listAgentInfos(db, new Date())
      versions.add(info?.version)
      return info
    })
    .toMatchObject({ version: '2', refused: null })
  expect(versions).not.toContain('wrong')
})

test('the built-in agent is not listed', async () => {
  expect((await listAgentInfos(db, new Date())).map(({ name }) => name)).toEqual(['north'])
})

test('browsers are notified when an agent falls silent, returns, and has another version', async () => {
  say(JSON.stringify(beat))
  const first = async () => (await listAgentInfos(db, new Date()))[0]
  await expect.poll(first).toMatchObject({ state: 'active', version: beat.version })
  const sent: LiveEvent[] = []
  const watch = startAgentWatch({ ...platform, live: (event) => void sent.push(event) })
  onTestFinished(() => watch.stop())
  const changes = [
    () =>
      db
        .updateTable('agents')
        .set({ lastActiveAt: new Date(Date.now() - 15_001) })
        .where('id', '=', agentId)
        .execute(),
    () => say(JSON.stringify(beat)),
    () => say(JSON.stringify({ ...beat, version: '3' })),
  ]
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(sent).toEqual([])
  for (const [i, change] of changes.entries()) {
    await change()
    await expect.poll(() => sent.length).toBe(i + 1)
  }
  expect(sent[0]).toEqual({ type: 'changed', topics: ['agents'] })
})
