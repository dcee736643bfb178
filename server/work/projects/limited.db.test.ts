import { expect, test } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { today } from '#server/platform/days.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { limitRoutes } from '#server/access/limits/index.ts'
import { asUser, testUser } from '#server/testing.ts'
import { dependentRoutes } from '#server/work/dependents/index.ts'
import { projectRoutes } from './index.ts'
import { countFolders } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [...projectRoutes(platform), ...limitRoutes(platform), ...dependentRoutes(platform)])
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const [films, music, vault] = [
  await newVolume(platform, 'Films'),
  await newVolume(platform, 'Music'),
  await newVolume(platform, 'Vaultword'),
]
const draft = { description: '', allocatedSize: 1_000 }
const makeProject = async (name: string, paths: object[]): Promise<number> =>
  (await admin('POST', '/api/projects', { ...draft, name, paths }).expect(200)).body.id
const aurora = await makeProject('Aurora', [
  { volumeId: films, path: '/aurora' },
  { volumeId: music, path: '/score' },
])
const secret = await makeProject('Secretword', [
  { volumeId: films, path: '/secretword' },
  { volumeId: vault, path: '/' },
])
await countFolders(db, films, '2026-01-01', { '/aurora': 10, '/secretword': 500 })
await countFolders(db, films, today(), { '/aurora': 60, '/secretword': 900 })
await countFolders(db, music, today(), { '/score': 7 })
await countFolders(db, vault, today(), { '/': 4_000 })

const none = { everything: false, projects: [] as number[], storages: [], folders: [] }
const limit = (id: number, limits: object) => admin('PUT', `/api/v1/users/${id}/limits`, limits).expect(204)
const limited = async (roles: Parameters<typeof testUser>[1], projects: number[]) => {
  const { id, name } = await testUser(db, roles)
  await limit(id, { ...none, projects })
  return { id, name, ask: await as(id) }
}
const month = today().slice(0, 7)
const reads = (id: number) =>
  [
    '',
    '/history',
    '/changes',
    '/forecast',
    '/reports',
    '/reports?type=FOLDERLIST',
    '/statements',
    `/statements/${month}`,
    ...['csv', 'xlsx', 'pdf'].map((kind) => `/statements/${month}/${kind}`),
  ].map((path) => `/api/v1/projects/${id}${path}`)
const textOf = ({ text, body }: { text?: string; body: unknown }) => text ?? String(body)

test('a limited user reads their projects, and others are the same 404 as those that never existed', async () => {
  const { ask } = await limited([], [aurora])
  for (const path of reads(aurora))
    expect(textOf(await ask('GET', path).expect(200))).not.toMatch(/secretword|vaultword/i)
  for (const [at, path] of reads(secret).entries()) {
    const { body } = await ask('GET', path).expect(404)
    const { body: never } = await ask('GET', reads(9_999)[at]!).expect(404)
    expect(JSON.stringify(body).replaceAll(String(secret), '')).toBe(JSON.stringify(never).replaceAll('9999', ''))
  }
})

test('lists, sums and files of all projects equal a plain loop over the visible projects', async () => {
  const { ask } = await limited([], [aurora])
  const all = (await admin('GET', '/api/v1/projects').expect(200)).body
  const { elements, total } = (await ask('GET', '/api/v1/projects').expect(200)).body
  expect([elements, total]).toEqual([all.elements.filter(({ id }: { id: number }) => id === aurora), 1])
  expect((await ask('GET', '/api/v1/projects?filter=secretword').expect(200)).body).toMatchObject({
    elements: [],
    total: 0,
  })
  const active = (of: typeof ask) => of('GET', '/api/v1/projects/mostActiveProjects?size=1&duration=365').expect(200)
  expect((await active(admin)).body).toMatchObject([{ id: secret }])
  expect((await active(ask)).body).toMatchObject([{ id: aurora, sizeOfFiles: 67, previousSize: 10 }])
  const lines = async (of: typeof ask) =>
    (await of('GET', `/api/v1/project-statements/${month}/csv`).expect(200)).text.split('\n')
  const isHead = (line: string, at: number) => at === 0 || line === ''
  expect(await lines(ask)).toEqual(
    (await lines(admin)).filter((line, at) => isHead(line, at) || line.includes('Aurora')),
  )
  await ask('GET', `/api/v1/project-statements/${month}/xlsx`).expect(200)
  expect((await ask('GET', '/api/v1/project-statements').expect(200)).body).toEqual([month])
  const { ask: nothing } = await limited([], [])
  expect((await nothing('GET', '/api/v1/projects').expect(200)).body.total).toBe(0)
  expect((await nothing('GET', '/api/v1/project-statements').expect(200)).body).toEqual([])
  await nothing('GET', `/api/v1/project-statements/${month}/csv`).expect(404)
})

test('duplicates are left out, since their copies may be anywhere', async () => {
  const { ask } = await limited([], [aurora])
  const project: Project = (await ask('GET', `/api/v1/projects/${aurora}`).expect(200)).body
  const statistics = project.projectShares.flatMap((share) =>
    [share, ...share.projectItems].map((one) => one.statistics),
  )
  expect(statistics).toHaveLength(4)
  for (const one of statistics) expect(one).not.toHaveProperty('DUPLICATE')
})

test('a folder that moved shows its new path only within the limits, and only there it can be followed', async () => {
  const { ask, id } = await limited(['ROLE_PROJECT_MANAGER'], [aurora])
  const folder = db
    .selectFrom('projectFolders')
    .select('id')
    .where('projectId', '=', aurora)
    .where('path', '=', '/aurora')
  const { id: folderId } = await folder.executeTakeFirstOrThrow()
  const move = { volumeId: films, path: '/aurora', movedTo: '/hiddenword/aurora' }
  const places = JSON.stringify([{ path: '/aurora', beforeScan: 1 }])
  await db.insertInto('projectMoves').values({ folderId, movedTo: move.movedTo, places }).execute()
  const shown = async () => textOf(await ask('GET', `/api/v1/projects/${aurora}`).expect(200)).includes('hiddenword')
  const count = async () => (await ask('GET', '/api/v1/projects').expect(200)).body.elements[0].movedFolders
  const follow = () => ask('PUT', `/api/v1/projects/${aurora}/moves/follow`, { folders: [move] })
  expect([await shown(), await count()]).toEqual([false, 0])
  await follow().expect(409)
  await limit(id, { ...none, projects: [aurora], folders: [{ storageId: films, path: '/hiddenword' }] })
  expect([await shown(), await count()]).toEqual([true, 1])
  await follow().expect(204)
  await admin('PUT', '/api/projects', {
    ...draft,
    id: aurora,
    name: 'Aurora',
    paths: [
      { volumeId: films, path: '/aurora' },
      { volumeId: music, path: '/score' },
    ],
  }).expect(200)
})

test('folders that left the project are not in its changes, nor the closed months that counted them', async () => {
  const id = await makeProject('Comet', [{ volumeId: films, path: '/comet' }])
  const paths = [{ volumeId: films, path: '/comet' }]
  const change = (more: object[]) =>
    admin('PUT', '/api/projects', { ...draft, id, name: 'Comet', paths: [...paths, ...more] }).expect(200)
  const { ask } = await limited([], [id])
  await change([{ volumeId: vault, path: '/oldword' }])
  const statement = (closedAt: string) =>
    JSON.stringify({ month: '2026-01', averageBytes: 1, costs: [], isComplete: true, lines: [], closedAt })
  const close = async (closedMonth: string) =>
    db
      .insertInto('projectStatements')
      .values({ projectId: id, month: closedMonth, name: 'Comet', statement: statement(new Date().toISOString()) })
      .execute()
  const open = (closedMonth: string) => ask('GET', `/api/v1/projects/${id}/statements/${closedMonth}`)
  await close('2026-01')
  await open('2026-01').expect(200)
  await change([])
  await close('2026-02')
  await open('2026-01').expect(404)
  await open('2026-02').expect(200)
  const changes = await ask('GET', `/api/v1/projects/${id}/changes`).expect(200)
  expect(changes.text).not.toContain('oldword')
  expect(changes.body).toHaveLength(1)
  await admin('DELETE', `/api/projects/${id}`).expect(204)
  await open('2026-02').expect(404)
})

test('a limited project manager edits visible projects with visible folders, keeps the name, and adds none', async () => {
  const { ask } = await limited(['ROLE_PROJECT_MANAGER'], [aurora])
  const paths = [
    { volumeId: films, path: '/aurora' },
    { volumeId: music, path: '/score' },
  ]
  const put = (more: object, id = aurora) =>
    ask('PUT', '/api/projects', { ...draft, id, name: 'Aurora', paths, ...more })
  await ask('POST', '/api/projects', { ...draft, name: 'New', paths: [] }).expect(403)
  await put({ description: 'All cuts' }).expect(200)
  await put({ paths: [...paths, { volumeId: films, path: '/aurora/cuts' }] }).expect(200)
  const answers = []
  // A folder of the project was here before it moved. Others may have files here now.
  const current = db
    .selectFrom('projectFolders')
    .select('id')
    .where('projectId', '=', aurora)
    .where('path', '=', '/aurora')
  const { id: currentId } = await current.executeTakeFirstOrThrow()
  const earlier = {
    projectId: aurora,
    volumeId: films,
    path: '/before',
    isNested: false,
    fromScan: 0,
    beforeScan: 1,
    currentId,
  }
  await db.insertInto('projectFolders').values(earlier).execute()
  for (const folder of [
    { volumeId: films, path: '/before' },
    { volumeId: films, path: '/secretword' },
    { volumeId: films, path: '/never' },
    { volumeId: films, path: '/auroras' },
    { volumeId: vault, path: '/x' },
    { volumeId: 9_999, path: '/x' },
  ]) {
    const { body } = await put({ paths: [...paths, folder] }).expect(400)
    answers.push(JSON.stringify(body).replaceAll(folder.path, '').replaceAll(String(folder.volumeId), ''))
  }
  expect(new Set(answers).size).toBe(1)
  const taken = await put({ name: 'Secretword' }).expect(400)
  expect(taken.body).toEqual((await put({ name: 'Free' }).expect(400)).body)
  await put({}, secret).expect(404)
  await ask('DELETE', `/api/projects/${secret}`).expect(404)
  await ask('PUT', `/api/v1/projects/${secret}/statement-recipients`, { addresses: [] }).expect(404)
  await put({}).expect(200)
})

test('a change of the folders of a project changes what its readers see of it at once', async () => {
  const { ask } = await limited([], [aurora])
  const size = async () => (await ask('GET', `/api/v1/projects/${aurora}`).expect(200)).body.sizeOfFiles
  expect(await size()).toBe(67)
  const put = (paths: object[]) =>
    admin('PUT', '/api/projects', { ...draft, id: aurora, name: 'Aurora', paths }).expect(200)
  await put([{ volumeId: music, path: '/score' }])
  expect(await size()).toBe(7)
  await put([
    { volumeId: films, path: '/aurora' },
    { volumeId: music, path: '/score' },
  ])
})

test('a manager edits the project and names readers, who see it in addition; only the role names managers', async () => {
  const { id: boss, ask: manager } = await limited([], [])
  const reader = await limited([], [])
  const everyone = await testUser(db, [])
  const path = `/api/v1/projects/${aurora}/members`
  const set = (managers: number[], readers: number[]) => ({ managers, readers })
  await manager('GET', path).expect(404)
  await admin('PUT', path, set([boss], [])).expect(204)
  const body = {
    ...draft,
    id: aurora,
    name: 'Aurora',
    description: 'Mine',
    paths: [{ volumeId: films, path: '/aurora' }],
  }
  await manager('PUT', '/api/projects', body).expect(200)
  expect((await manager('GET', `/api/v1/projects/${aurora}`).expect(200)).body.isManager).toBe(true)
  await manager('DELETE', `/api/projects/${aurora}`).expect(403)
  await reader.ask('GET', `/api/v1/projects/${aurora}`).expect(404)
  await manager('PUT', path, set([boss], [reader.id, everyone.id])).expect(204)
  await reader.ask('GET', `/api/v1/projects/${aurora}`).expect(200)
  await reader.ask('GET', path).expect(403)
  await reader.ask('PUT', '/api/projects', body).expect(403)
  expect((await manager('GET', path).expect(200)).body).toMatchObject({
    managers: [{ id: boss }],
    readers: [{ id: reader.id, name: reader.name }],
  })
  expect((await admin('GET', `/api/v1/users/${everyone.id}/limits`).expect(200)).body.everything).toBe(true)
  await manager('PUT', path, set([boss, reader.id], [reader.id])).expect(403)
  await manager('PUT', path, set([boss], [99_999])).expect(400)
  await manager('PUT', `/api/v1/projects/${secret}/members`, set([], [])).expect(404)
  await manager('PUT', path, set([boss], [])).expect(204)
  await reader.ask('GET', `/api/v1/projects/${aurora}`).expect(404)
  expect((await reader.ask('GET', '/api/v1/projects').expect(200)).body.total).toBe(0)
  const events = await readStream<{ after?: object }>(db, `project-${aurora}`)
  expect(events.filter(({ event }) => event.after && 'readers' in event.after)).toHaveLength(3)
  expect(await readStream(db, `limits-${reader.id}`)).toHaveLength(3)
  await admin('PUT', path, set([], [])).expect(204)
  await manager('GET', path).expect(404)
})

test('a limited manager by role deletes a project, and gets no alerts of other users', async () => {
  const { id, ask } = await limited(['ROLE_PROJECT_MANAGER'], [])
  const doomed = await makeProject('Doomed', [{ volumeId: films, path: '/aurora' }])
  await limit(id, { ...none, projects: [doomed] })
  const alert = { jobGroup: 'ALERT' as const, jobClass: 'PROJECT_SPACE_ALERT' as const, cron: '', paused: false }
  const payload = JSON.stringify({ resourceIds: [doomed], all: 'false' })
  const rows = [
    { ...alert, name: 'Mine', userId: id, payload },
    { ...alert, name: 'Secretword alert', userId: (await testUser(db, [])).id, payload },
  ]
  await db.insertInto('schedules').values(rows).execute()
  const found = (of: string, project: number) => ask('GET', `/api/v1/dependents?of=${of}&id=${project}`)
  expect((await found('project', doomed).expect(200)).body).toEqual(['Alerts Mine: report that it was deleted.'])
  await found('project', secret).expect(404)
  await found('user', id).expect(403)
  await ask('DELETE', `/api/projects/${secret}`).expect(404)
  await ask('DELETE', `/api/projects/${doomed}`).expect(204)
})
