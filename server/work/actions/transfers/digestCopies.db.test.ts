import { createInbox } from 'nats'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CopiesAnswer, type CopyRange, DigestQuestion, type RangeDigest } from '#events/actions/copies.ts'
import { protocolVersion } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { TaskAnswer } from '#events/tasks.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { simulatedRun } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes, startActions } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
for (const id of [2, 3])
  await db
    .insertInto('agents')
    .values({ id, name: `Agent ${id}` })
    .execute()
await db.updateTable('agents').set({ lastActiveAt: new Date() }).where('id', '=', 2).execute()
for (const agentId of [1, 2, 3]) await taskConsumers(nats, agentId)
const tasks = await startScanning(platform)
const actions = startActions(platform)
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
})
const app = createApp(platform, [...actionRoutes(platform), ...configurationRoutes(platform)])
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))

/** Questions that the agents received, and their answers. */
const asked: { agentId: number; question: DigestQuestion }[] = []
let answerOf = (range: CopyRange): RangeDigest => ({ size: 12, file: range.path, digest: 'd1' })
let answersOf = (ranges: CopyRange[]) => ranges.map(answerOf)
for (const agentId of [1, 2])
  nats.connection.subscribe(subjects.digests(agentId), {
    callback: (_, message) => {
      const question = DigestQuestion.parse(message.json())
      asked.push({ agentId, question })
      message.respond(JSON.stringify({ digests: answersOf(question.ranges) }))
    },
  })

const newVolume = async (name: string, path: string, agentId: number, type = 'crawl.files') =>
  (await db.insertInto('volumes').values({ name, path, type, agentId }).returning('id').executeTakeFirstOrThrow()).id
let films = 0
beforeAll(async () => {
  films = await newVolume('Films', '/mnt/films', 1)
  const archive = await newVolume('Archive', '/tank/archive', 2)
  const inner = await newVolume('Inner', '/mnt/inner', 1)
  const away = await newVolume('Away', '/mnt/away', 3)
  const share = await newVolume('Share', '/', 1, 'NetworkVolume')
  const mapping = (volumeId: number, dataintellPath: string, sodaStorageId: string, sodaPath: string) => {
    return { volumeId, dataintellPath, sodaStorageId, sodaPath }
  }
  await db
    .insertInto('sodaMappings')
    .values([
      mapping(films, '/mnt/films', 'st-1', '/'),
      mapping(archive, '/tank/archive/in', 'st-2', '/'),
      mapping(inner, '/mnt/inner', 'st-2', '/incoming/inner/'),
      mapping(away, '/mnt/away', 'st-3', '/'),
      mapping(share, '/', 'st-4', '/'),
    ])
    .execute()
  await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-02' }, [
    { path: '', entries: [{ path: '/a.mov', size: 12, inode: 3 }] },
  ])
  const soda = { sodaUrl: 'https://soda.example.com', sodaClientId: 'di', sodaClientSecret: 'planted-SECRET-5521' }
  const values = Object.entries(soda).map(([name, value]) => ({ name, value }))
  await ask('PUT', '/api/configurations', values).expect(200)
})
beforeEach(() => void (asked.length = 0))

const request = async (agentId: number, subject: string, body: object): Promise<unknown> => {
  const options = { timeout: 5_000, noMux: true, reply: createInbox(`_INBOX_agent-${agentId}`) }
  return (await nats.connection.request(subject, JSON.stringify(body), options)).json()
}

/** Starts a transfer, and its attempt at agent 1. */
async function started(storageId: string, transferType = 'MOVE') {
  const target = { name: 'Cloud', path: '/incoming', storageId, isDirectory: true }
  const source = { name: 'a.mov', path: '/mnt/films/a.mov', storageId: String(films), isDirectory: false }
  const body = { name: '', transferType, conflictHandling: 'OVERWRITE', target, sources: [source] }
  const { jobId } = (await ask('POST', '/api/v1/soda/jobs', body).expect(200)).body
  const taskId = (await findJob(db, jobId))?.tasks[0]?.id ?? 0
  const start = { taskId, run: simulatedRun, protocol: protocolVersion }
  const answer = TaskAnswer.parse(await request(1, subjects.startTask(1), start))
  const attempt = answer.type === 'action' ? answer.order.attempt : 0
  const about = { taskId, run: simulatedRun, attempt }
  const digests = async (paths: string[], changes: object = {}, agentId = 1) => {
    const ranges = paths.map((path) => ({ path, start: 0, length: 12 }))
    return CopiesAnswer.parse(await request(agentId, subjects.copies(agentId), { ...about, ranges, ...changes }))
  }
  return { jobId, digests }
}

test('copies are read by the agent of the mapped storage, the deepest one', async () => {
  const { digests } = await started('st-2')
  answerOf = ({ path }) => ({ size: 12, file: 'i', digest: `digest of ${path}` })
  const paths = ['/incoming/inner/a.mov', '/incoming/a.mov', '/incoming/innermost/b']
  expect(await digests(paths)).toEqual({
    verdict: 'continue',
    digests: ['/a.mov', '/in/incoming/a.mov', '/in/incoming/innermost/b'].map((path) => {
      return { size: 12, file: 'i', digest: `digest of ${path}` }
    }),
  })
  const range = (path: string) => ({ path, start: 0, length: 12 })
  expect(asked.toSorted((a, b) => a.agentId - b.agentId)).toEqual([
    { agentId: 1, question: { root: '/mnt/inner', crossesFileSystems: false, ranges: [range('/a.mov')] } },
    {
      agentId: 2,
      question: {
        root: '/tank/archive',
        crossesFileSystems: false,
        ranges: [range('/in/incoming/a.mov'), range('/in/incoming/innermost/b')],
      },
    },
  ])
})

test.each(['/elsewhere/a.mov', '/incoming/../secret', '/incomings/a', 'incoming/a.mov', '/'])(
  'nothing outside of the target is read: %s',
  async (path) => {
    const { digests } = await started('st-2')
    expect((await digests([path])).digests).toEqual([{ failure: 'missing', reason: 'is not in the target folder' }])
    expect(asked).toEqual([])
  },
)

test.each([
  ['st-9', 'unreachable', 'no SODA storage path leads to it'],
  ['st-3', 'unreadable', 'the agent of the storage Away does not answer'],
  ['st-4', 'unreachable', "agents can't open files of the storage Share"],
])('without an agent that reads the copies on %s, they are %s', async (storageId, failure, reason) => {
  const { digests } = await started(storageId)
  const [digest] = (await digests(['/incoming/a.mov'])).digests
  expect(digest).toMatchObject({ failure, reason: expect.stringContaining(reason) })
})

test('an answer with fewer digests than ranges counts as none', async () => {
  const { digests } = await started('st-2')
  answersOf = () => []
  const [digest] = (await digests(['/incoming/a.mov'])).digests
  answersOf = (ranges) => ranges.map(answerOf)
  expect(digest).toMatchObject({ failure: 'unreadable', reason: expect.stringContaining('does not answer') })
})

test('only the attempt of a move gets digests', async () => {
  const { digests } = await started('st-2')
  const path = '/incoming/a.mov'
  expect(await digests([path], { attempt: 9 })).toEqual({ verdict: 'stop', digests: [] })
  const copied = await started('st-2', 'COPY')
  const unanswered = [digests([path], {}, 2), digests([path], { run: 'another' }), copied.digests([path])]
  await Promise.all(unanswered.map((answer) => expect(answer).rejects.toThrow('TIMEOUT')))
  expect(asked).toEqual([])
})
