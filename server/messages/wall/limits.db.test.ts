import { expect, test } from 'vitest'
import { wallCookie } from '#events/wall.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { publishLive } from '#server/messages/live/index.ts'
import { begin, testLive } from '#server/messages/live/testing.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession } from '#server/testing.ts'

const connected = await testPlatform()
const platform = { ...connected, live: publishLive(connected.nats) }
const { db } = platform
const app = createApp(platform, routesOf(platform))
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const nobody = asUser(app, undefined)
const live = testLive(platform, 'limits')
const [films, hidden] = [await newVolume(platform, 'Films'), await newVolume(platform, 'Hiddenword')]
const folder = (path: string) => ({ path, isDirectory: true })
for (const volumeId of [films, hidden])
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [
    { path: '', entries: [folder('/aurora'), folder('/secretword')] },
    { path: '/aurora', entries: [{ path: '/aurora/a.mov', size: 100, inode: 0 }] },
    { path: '/secretword', entries: [{ path: '/secretword/b.mov', size: 4_000, inode: 0 }] },
  ])
const none = { everything: false, projects: [], storages: [], folders: [] }
const ofAurora = { ...none, folders: [{ storageId: films, path: '/aurora' }] }

/** A display whose wall sees this, and its requests. */
async function display(name: string, limits: object) {
  const { id, token } = (await admin('POST', '/api/v1/wall/tokens', { name, limits }).expect(200)).body
  const { headers } = await nobody('POST', '/api/v1/wall/session', { token }).expect(200)
  const session = new RegExp(`${wallCookie}=([^;]+)`).exec(String(headers['set-cookie']))?.[1] ?? ''
  const ask = (path: string) => {
    const response = nobody('GET', `/api/v1/${path}`)
    return response.set('Cookie', `${String(response.get('Cookie'))}; ${wallCookie}=${session}`)
  }
  const change = (limits: object) =>
    admin('PUT', `/api/v1/wall/tokens/${id}`, { name, frameAncestors: '', limits }).expect(204)
  return { id, session, ask, change }
}

test('a display with limits gets nothing of the rest, and calls without limits are refused', async () => {
  const { ask } = await display('Lobby', ofAurora)
  const answers: Record<string, unknown> = {}
  for (const path of [
    'dashboard',
    'volumes',
    'wall/folders',
    'wall/growth',
    'wall/options',
    'projects/mostActiveProjects',
  ])
    answers[path] = (await ask(path).expect(200)).body
  expect(JSON.stringify(answers)).not.toMatch(/hiddenword|secretword|4000|4100/i)
  expect(answers).toMatchObject({
    dashboard: { storages: [{ name: 'Films', sizeOfFiles: 100 }] },
    'wall/folders': [{ volumeId: films, folders: [{ name: 'aurora', size: 100 }] }],
    'wall/growth': [],
    'wall/options': { limits: { folders: 1, projects: [], storages: [] } },
  })
  for (const path of ['servers/infos', 'wall/firing']) expect((await ask(path).expect(403)).body.code).toBe('limited')
})

test('a running display follows within two seconds, gets no dashboard of all storages, and the log has its limits', async () => {
  const { id, session, ask, change } = await display('Hall', { ...none, everything: true })
  expect((await ask('wall/options').expect(200)).body.limits).toBeUndefined()
  const page = live.open({ wall: session })
  await page.opened()
  await begin(page, 'changed')
  await begin(page, 'dashboard')
  const [from, at] = [page.heard.length, performance.now()]
  await change(ofAurora)
  await page.until((message) => message.type === 'refused' && message.topic === 'dashboard', from)
  await page.until((message) => message.type === 'state' && message.topic === 'changed', from)
  expect(performance.now() - at).toBeLessThan(2_000)
  expect((await ask('dashboard').expect(200)).body.storages).toHaveLength(1)
  await admin('PUT', `/api/v1/wall/tokens/${id}`, { name: 'Hall', frameAncestors: '' }).expect(204)
  const { elements } = (await admin('GET', '/api/v1/wall/tokens?sort=name').expect(200)).body
  expect(elements[0]).toMatchObject({ name: 'Hall', limits: ofAurora })
  const events = await readStream<{ after: object }>(db, `wall-limits-${id}`)
  expect(events.map(({ event }) => event.after)).toEqual([ofAurora])
  await admin('PUT', `/api/v1/wall/tokens/${id}`, { name: 'Hall', limits: { ...none, storages: [9_999] } }).expect(400)
  await admin('DELETE', `/api/v1/wall/tokens/${id}`).expect(204)
  expect(await db.selectFrom('limits').selectAll().where('wallId', '=', id).execute()).toEqual([])
})
