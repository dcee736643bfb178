import { createInbox } from 'nats'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FileOutcome, FilesPage, type PlannedFile, ReportAnswer } from '#events/actions/files.ts'
import type { ActionRequest } from '#events/actions/actions.ts'
import type { Role } from '#events/contract/needs.ts'
import { protocolVersion } from '#events/agents.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { subjects } from '#events/subjects.ts'
import { TaskAnswer } from '#events/tasks.ts'
import { createApp } from '#server/app.ts'
import { compareJobs, findJob } from '#server/workers/jobs/index.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor, startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { simulatedRun } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { taskRoutes } from '#server/workers/tasks/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { actionRoutes, startActions } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const tasks = await startScanning(platform)
const actions = startActions(platform)
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
})
const routes = [...actionRoutes(platform), ...sourceRoutes(platform), ...taskRoutes(platform, handlersFor(platform))]
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
const storagePrice = await testPriceBook(db)

const names = ['a.mov', 'b.mov', 'c.mov']
let credentialsId = 0
beforeAll(async () => {
  const draft = { name: 'P5', username: 'ana', password: 'planted', url: 'http://p5:8000' }
  credentialsId = (await ask('POST', '/api/v1/archiwares/credentials', draft).expect(200)).body.id
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
  const { id: volumeId } = await db
    .selectFrom('volumes')
    .select('id')
    .where('name', '=', 'Films')
    .executeTakeFirstOrThrow()
  const entries = names.map((name, i) => ({ path: `/${name}`, size: 10 * (i + 1), inode: i + 3, mtime: 1_600_000_000 }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [{ path: '', entries }])
})

let [jobId, taskId] = [0, 0]
beforeEach(async () => {
  const options = { planId: '1', clientId: 'c', serverId: 1, meta: [], indexroot: '', deltaScanAfter: false }
  const payload = { ...options, credentialsId, dataIntellPaths: ['/mnt/films'] }
  const request: ActionRequest = { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload }
  const plan = (await ask('POST', '/api/v1/actions/plans', request).expect(200)).body
  jobId = (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body.jobId
  taskId = (await jobOf()).tasks[0]?.id ?? 0
})

const jobOf = async () => (await findJob(db, jobId)) ?? expect.unreachable()
const resultOf = async () => (await jobOf()).result as ActResult

async function request(subject: string, body: object, agentId = 1): Promise<unknown> {
  const options = { timeout: 2_000, noMux: true, reply: createInbox(`_INBOX_agent-${agentId}`) }
  return (await nats.connection.request(subject, JSON.stringify(body), options)).json()
}
const start = async () =>
  TaskAnswer.parse(await request(subjects.startTask(1), { taskId, run: simulatedRun, protocol: protocolVersion }))
const about = (attempt: number) => ({ taskId, run: simulatedRun, attempt })
const filesIn = async (state: 'planned' | 'sent', attempt = 1, after = 0) =>
  FilesPage.parse(await request(subjects.files(1), { ...about(attempt), state, after }))
const placesIn = async (state: 'planned' | 'sent', attempt = 1) =>
  (await filesIn(state, attempt)).files.map(({ place }) => place)
const report = async (sequence: number, outcomes: Partial<FileOutcome>[], attempt = 1, more = {}) =>
  ReportAnswer.parse(await request(subjects.outcomes(1), { ...about(attempt), sequence, outcomes, ...more }))
const end = async (attempt = 1, reason?: string) =>
  ReportAnswer.parse(await request(subjects.ended(1), { ...about(attempt), reason }))
const states = (state: FileOutcome['state'], ...positions: number[]) =>
  positions.map((position) => ({ position, state, reference: state === 'sent' ? `r${position}` : '' }))

test('an attempt gets its order with the password, and its files with both of their paths', async () => {
  const answer = await start()
  expect(answer).toMatchObject({
    type: 'action',
    order: {
      attempt: 1,
      jobId,
      system: {
        kind: 'archive',
        planId: '1',
        clientId: 'c',
        connection: { url: 'http://p5:8000', password: 'planted' },
      },
    },
  })
  const { files } = await filesIn('planned')
  const [first] = files
  expect(first).toEqual<PlannedFile>({
    position: 1,
    path: '/mnt/films/a.mov',
    place: '/mnt/films/a.mov',
    pathInStorage: '/a.mov',
    size: 10,
    modified: 1_600_000_000,
    reference: '',
  })
  const rest = await filesIn('planned', 1, 2)
  expect([rest.verdict, ...rest.files.map(({ position }) => position)]).toEqual(['continue', 3])
})

test('a file that was sent is not planned again, and keeps its reference for the next attempt', async () => {
  await start()
  await report(1, states('sent', 1, 2))
  await report(2, states('done', 1))
  await start()
  expect(await placesIn('planned', 2)).toEqual(['/mnt/films/c.mov'])
  expect((await filesIn('sent', 2)).files.map(({ position, reference }) => [position, reference])).toEqual([[2, 'r2']])
  await report(1, states('planned', 2), 2)
  expect(await placesIn('planned', 2)).toEqual(['/mnt/films/b.mov', '/mnt/films/c.mov'])
})

test('a report that arrives twice changes nothing, and one of an attempt before is refused', async () => {
  await start()
  await report(1, states('sent', 1))
  await report(2, states('done', 1))
  await report(1, states('sent', 1))
  expect(await placesIn('sent')).toEqual([])
  await start()
  expect(await report(3, states('sent', 2))).toEqual({ verdict: 'stop' })
  expect(await placesIn('planned', 2)).toEqual(['/mnt/films/b.mov', '/mnt/films/c.mov'])
})

test('an action ends with what was done, with a warning and the reasons if files failed', async () => {
  await start()
  await report(1, [...states('done', 1, 2), { position: 3, state: 'failed', reason: 'It is locked' }])
  expect(await end()).toEqual({ verdict: 'continue' })
  const { status, result } = await jobOf()
  expect(status).toBe('WARNING')
  expect(result).toEqual({
    toDo: 3,
    bytesToDo: 60,
    done: 2,
    bytesDone: 30,
    failed: 1,
    leftOut: 0,
    failedPaths: [{ path: '/mnt/films/c.mov', reason: 'It is locked' }],
  })
  expect(await end()).toEqual({ verdict: 'stop' })
})

test('an action succeeds if all files are done, and fails if nothing is, with the reason', async () => {
  await start()
  await report(1, states('done', 1, 2, 3))
  await end()
  expect((await jobOf()).status).toBe('SUCCESS')
})

test("an action that can't continue fails, or warns if a part is done", async () => {
  await start()
  await end(1, 'P5 has no plan 1')
  expect(await jobOf()).toMatchObject({ status: 'FAILURE', result: { reason: 'P5 has no plan 1' } })
})

test('a part that is done is a warning with the reason for the rest', async () => {
  await start()
  await report(1, states('done', 1))
  await end(1, 'P5 has no plan 1')
  expect(await jobOf()).toMatchObject({ status: 'WARNING', result: { done: 1, reason: 'P5 has no plan 1' } })
})

test('an ended action is relaunched for the files that failed or were not started, not for those in doubt', async () => {
  const planRest = (by = ask) => by('POST', `/api/v1/jobs/${jobId}/plans`)
  expect((await planRest().expect(409)).body.message).toBe('The job has not ended')
  await start()
  await report(1, [...states('done', 1), ...states('sent', 2)])
  await end(1, 'P5 has no plan 1')
  const plan = (await planRest().expect(200)).body
  expect(plan).toMatchObject({ files: 1, bytes: 30, leftOut: [], missing: 0 })
  const { rows } = (await ask('GET', `/api/v1/actions/plans/${plan.id}/files`).expect(200)).body
  expect(rows).toMatchObject([{ path: '/mnt/films/c.mov', place: '/mnt/films/c.mov' }])
  const of = async (role: Role) => asUser(createApp(platform, routes), await testSession(db, [role]))
  await planRest(await of('ROLE_ARCHIWARE_ARCHIVE')).expect(404)
  const { payload } = await jobOf()
  jobId = (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body.jobId
  expect(await jobOf()).toMatchObject({ type: 'ARCHIVE_ARCHIWARE_FILES', payload, tasks: [{ payload: { files: 1 } }] })
})

test('of an action that is done with everything nothing is left to relaunch', async () => {
  await start()
  await report(1, states('done', 1, 2, 3))
  await end()
  const { body } = await ask('POST', `/api/v1/jobs/${jobId}/plans`).expect(409)
  expect(body.message).toBe('All files of the job are done')
  await ask('POST', '/api/v1/jobs/999999/plans').expect(404)
})

test('progress is shown while the action runs, with what it waits for', async () => {
  await start()
  await report(1, states('done', 1), 1, { note: 'Waits for tape A00001', bytesInProgress: 5 })
  expect(await resultOf()).toMatchObject({ toDo: 3, done: 1, bytesDone: 15, note: 'Waits for tape A00001' })
})

test.each([
  ['CANCELLED', 'cancel'],
  ['WAITING', 'cancel'],
])('after a change to %s the next report tells the agent to %s', async (status, verdict) => {
  await start()
  await report(1, states('sent', 1))
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status }).expect(200)
  expect(await report(2, states('sent', 2))).toEqual({ verdict })
  expect(await filesIn('planned')).toEqual({ verdict, files: [] })
  if (status === 'CANCELLED') return
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'AVAILABLE' }).expect(200)
  await start()
  expect(await placesIn('sent', 2)).toEqual(['/mnt/films/a.mov'])
})

test('agents get no files of others, and no run without the key gets any', async () => {
  await start()
  const foreign = request(subjects.files(2), { ...about(1), state: 'planned', after: 0 }, 2)
  await expect(foreign).rejects.toThrow('TIMEOUT')
  await expect(request(subjects.files(1), { ...about(1), run: 'other', state: 'planned', after: 0 })).rejects.toThrow(
    'TIMEOUT',
  )
})

test('credentials that were deleted fail the action when it starts, and name them', async () => {
  await ask('DELETE', `/api/v1/archiwares/credentials/${credentialsId}`).expect(204)
  expect(await start()).toMatchObject({ type: 'over' })
  expect(await jobOf()).toMatchObject({
    status: 'FAILURE',
    result: { reason: `There is no archiware credential ${credentialsId}` },
  })
})

test('folding the log again gives the same jobs', async () => {
  expect((await compareJobs(db)).differences).toEqual([])
})
