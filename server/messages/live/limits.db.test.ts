import { expect, test } from 'vitest'
import type { LiveEvent, ServerMessage, Topic } from '#events/live.ts'
import { noFilters } from '#events/search/filters.ts'
import { scanRecordOf } from '#events/testing.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { currentScopeOf, limitsKey } from '#server/platform/callers/scope.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'
import { publishLive } from './index.ts'
import { appender, begin, eventsIn, progressed, testLive } from './testing.ts'

const connected = await testPlatform()
const platform = { ...connected, live: publishLive(connected.nats) }
const { db } = platform
const app = createApp(platform, routesOf(platform))
const live = testLive(platform, 'scans, events, jobs, tasks')
const films = await newVolume(platform, 'Films')
const everything = { everything: true, projects: [], storages: [], folders: [] }
const ofFilms = { everything: false, projects: [], storages: [films], folders: [] }

/** A limited user's page, and a function that changes what the user sees. */
async function start() {
  const admin = asUser(
    app,
    await openSession(db, (await testUser(db, ['ROLE_ADMIN'], 'of an administrator')).id, '127.0.0.1'),
  )
  const { id } = await testUser(db, ['ROLE_PROJECT_MANAGER'])
  const limit = (limits: object) => admin('PUT', `/api/v1/users/${id}/limits`, limits).expect(204)
  await limit(ofFilms)
  const page = live.open({ session: await openSession(db, id, '127.0.0.1') })
  await page.opened()
  return { admin, id, limit, page }
}
const restarts = (topic: string) => (message: ServerMessage) => message.type === 'state' && message.topic === topic

test('the pages of a limited user get neither the dashboard nor the progress of scans', async () => {
  const { page } = await start()
  page.say({ type: 'subscribe', topic: 'dashboard' })
  await page.until((message) => message.type === 'refused' && message.topic === 'dashboard')
  await begin(page, 'jobs')
  await begin(page, 'changed')
  platform.live(progressed(7, 10))
  platform.live({ type: 'changed', topics: ['tags'] })
  await page.until((message) => message.type === 'events' && message.topic === 'changed')
  const frame = await page.until((message) => message.type === 'events' && message.topic === 'jobs')
  expect(frame).toMatchObject({ events: [] })
  expect(JSON.stringify(page.heard)).not.toContain('currentPath')
})

test('the pages of a limited user get own jobs, and no row of others', async () => {
  const { page, id } = await start()
  const { queue } = appender(db)
  const rows = () =>
    page.heard.flatMap((message) =>
      message.type === 'events'
        ? message.events.flatMap((event) => (event.type === 'jobs' ? event.jobs.map((job) => job.id) : []))
        : [],
    )
  await begin(page, 'jobs')
  await queue(1, { name: 'Otherword', address: null, id: 999 })
  await queue(2, { name: 'anna', address: '203.0.113.99', id })
  page.say({ type: 'subscribe', topic: 'job-1' })
  await page.until((message) => message.type === 'refused' && message.topic === 'job-1')
  await db
    .updateTable('jobs')
    .set({ limits: limitsKey(id, await currentScopeOf(db, id)) })
    .where('id', '=', 2)
    .execute()
  expect(await begin(page, 'job-2')).toMatchObject({ type: 'state', state: { id: 2 } })
  await appender(db).advance(2, 10)
  await expect.poll(rows).toEqual([2])
  // The progress may be of an attempt within other limits.
  const resumed = await begin(page, 'job-2', 0)
  expect(resumed).toMatchObject({ type: 'resumed', events: [{ type: 'logged' }] })
  expect(eventsIn([resumed], 'job-2').find(({ type }) => type === 'TaskProgressed')?.data.result).toEqual({})
  expect(JSON.stringify(page.heard)).not.toMatch(/Otherword|203.0.113.99/)
})

test('within two seconds, open pages read again after a change of limits, of a project and of roles', async () => {
  const { admin, id, limit, page } = await start()
  await begin(page, 'changed')
  const after = async (work: () => PromiseLike<unknown>) => {
    const from = page.heard.length
    const at = performance.now()
    await work()
    await page.until(restarts('changed'), from)
    expect(performance.now() - at).toBeLessThan(2_000)
  }
  const project = { name: 'Aurora', description: '', allocatedSize: 1, paths: [{ volumeId: films, path: '/aurora' }] }
  const { id: aurora } = (await admin('POST', '/api/projects', project).expect(200)).body
  await after(() => limit({ ...ofFilms, storages: [], projects: [aurora] }))
  const paths = [...project.paths, { volumeId: films, path: '/score' }]
  await after(() => admin('PUT', '/api/projects', { id: aurora, ...project, paths }).expect(200))
  await after(() => limit(everything))
  await begin(page, 'dashboard')
  const from = page.heard.length
  await limit(ofFilms)
  await page.until((message) => message.type === 'refused' && message.topic === 'dashboard', from)
  const { name } = await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  const user = { name, email: null, isDisabled: false, roles: ['ROLE_ADMIN'] }
  await after(() => admin('PUT', `/api/v1/users/${id}`, user).expect(204))
})

test('no topic shows a limited user the work of others', async () => {
  const { page } = await start()
  const [word, by] = ['Vegaword', { name: 'Vegaword', address: null, kind: 'system' as const }]
  const hidden = await newVolume(platform, word)
  const payload = { tags: [word], remove: false, isDirectory: false, filters: { ...noFilters, search: word } }
  const job = await queueTagging(platform, payload, by)
  const topics: Topic[] = ['dashboard', 'log', `job-${job}`, `job-${job + 1}`, 'changed', 'jobs']
  for (const topic of topics) page.say({ type: 'subscribe', topic })
  const answers = (topic: Topic) => (message: ServerMessage) =>
    (message.type === 'refused' || message.type === 'state') && message.topic === topic
  for (const topic of topics) await page.until(answers(topic))
  const scan = { ...scanRecordOf(7, 'running'), volumeId: hidden, volumeName: word }
  platform.live({ type: 'scanChanged', scan })
  platform.live({ ...progressed(7, 10), jobId: job } as LiveEvent)
  await queueTagging(platform, payload, by)
  wakeFollowers()
  platform.live({ type: 'changed', topics: ['tags'] })
  await page.until((message) => message.type === 'events' && message.topic === 'changed')
  await page.until((message) => message.type === 'events' && message.topic === 'jobs')
  expect(JSON.stringify(page.heard)).not.toContain(word)
  const refused = page.heard.flatMap((message) => (message.type === 'refused' ? [message.topic] : []))
  expect(refused).toEqual(expect.arrayContaining(['dashboard', 'log', `job-${job}`, `job-${job + 1}`]))
})
