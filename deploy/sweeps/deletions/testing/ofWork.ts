import request from 'supertest'
import { expect } from 'vitest'
import { openSession } from '#server/platform/callers/session.ts'
import { asUser } from '#server/testing.ts'
import {
  admin,
  app,
  cancel,
  type Cell,
  create,
  db,
  deliveries,
  elements,
  jobOf,
  newPriceBook,
  newReport,
  newSchedule,
  newScanned,
  newStorage,
  newUser,
  pauseSchedule,
  queryOf,
  read,
  remove,
  reportOf,
  runReport,
  runSchedule,
  startAction,
  startTask,
  unique,
} from './product.ts'

const cell = (call: string, refers: string, happens: string, run: Cell['run']): Cell => ({ call, refers, happens, run })
const templates = '/api/v1/reports/templates'
const schedules = '/api/v1/schedules'

const work: Cell[] = [
  cell('DELETE /v1/schedules/:id', 'Job that it started', 'Continues', async () => {
    const films = await newStorage()
    const { id } = await newSchedule('SCAN_VOLUMES', { volumes: [films.id] })
    const { jobId } = (await admin('POST', `${schedules}/${id}/run`).expect(200)).body
    await remove(`${schedules}/${id}`)
    expect((await jobOf(jobId)).status).toMatch(/NEW|AVAILABLE/)
    await cancel(jobId)
  }),
  cell(
    'DELETE /v1/schedules/:id',
    'Runs, states and sent checks of an alert',
    'Deleted; what was sent stays',
    async () => {
      const { id } = await newSchedule('REPORT_CHECK_ALERT', { resourceIds: [], all: true })
      const templateId = await newReport()
      const at = new Date()
      await db.insertInto('scheduleRuns').values({ scheduleId: id, dueAt: at, outcome: 'notified' }).execute()
      await db
        .insertInto('alertStates')
        .values({ scheduleId: id, watchedId: 1, isReached: true, isReported: true })
        .execute()
      await db.insertInto('toldChecks').values({ scheduleId: id, templateId, runId: 1 }).execute()
      const mail = { key: `schedule-${id} x`, address: 'c@example.com', channel: 'email', state: 'sent' } as const
      await db
        .insertInto('deliveries')
        .values({ ...mail, subject: 'Subject', body: '' })
        .execute()
      await remove(`${schedules}/${id}`)
      for (const table of ['scheduleRuns', 'alertStates', 'toldChecks'] as const)
        expect(await db.selectFrom(table).selectAll().where('scheduleId', '=', id).execute()).toEqual([])
      expect(await deliveries()).toMatchObject([mail])
    },
  ),
  cell('DELETE /v1/reports/templates/:id', 'Open run', 'Cancelled; its tags are removed', async () => {
    const id = await newReport({ tags: ['weekly'] })
    const { jobId } = (await admin('POST', `${templates}/${id}/jobs`).expect(200)).body
    await remove(`${templates}/${id}`)
    await expect.poll(async () => (await jobOf(jobId)).status).toMatch(/CANCELLED|SUCCESS/)
    expect(await elements(`/api/files/search?tags=weekly`)).toEqual([])
  }),
  cell('DELETE /v1/reports/templates/:id', 'Tag of its results', 'Stays', async () => {
    const name = unique('Kept')
    const id = await newReport({ name })
    await runReport(id)
    const { reportTag } = await reportOf(id)
    await remove(`${templates}/${id}`)
    expect((await elements(`/api/files/search?report=${encodeURIComponent(reportTag)}`)).length).toBeGreaterThan(0)
  }),
  cell(
    'DELETE /v1/reports/templates/:id',
    'Alert about its check',
    'Reports that it was deleted; it can be paused and corrected',
    async () => {
      const id = await newReport()
      const alert = await newSchedule('REPORT_CHECK_ALERT', { resourceIds: [id] })
      const [sentence] = await read(`/api/v1/dependents?of=report&id=${id}`)
      expect(sentence).toBe(`Alerts ${alert.draft.name}: report that it was deleted.`)
      await remove(`${templates}/${id}`)
      expect(await runSchedule(alert)).toMatchObject({ outcome: 'unknown', reason: `Deleted: ${id}` })
      await pauseSchedule(alert)
    },
  ),
  cell('DELETE /projects/:id', 'Alert', 'Reports that it was deleted; it can be paused and corrected', async () => {
    const id = await newProject()
    const alert = await newSchedule('PROJECT_SPACE_ALERT', { resourceIds: [id], threshold: 80 })
    await remove(`/api/projects/${id}`)
    expect(await runSchedule(alert)).toMatchObject({ outcome: 'unknown', reason: `Deleted: ${id}` })
    await pauseSchedule(alert)
  }),
  cell('DELETE /projects/:id', 'Data of a report', 'Runs fail with the reason', async () => {
    const source = [{ type: 'PROJECT', id: await newProject(), path: '/' }]
    const id = await newReport({ type: 'DUPLICATED', parameters: { references: source, comparison: source } })
    expect(await read(`/api/v1/dependents?of=project&id=${source[0]?.id}`)).toHaveLength(1)
    await remove(`/api/projects/${source[0]?.id}`)
    expect(await runReport(id)).toMatchObject({
      status: 'FAILURE',
      reason: `Project ${source[0]?.id} of the report no longer exists`,
    })
  }),
  cell('DELETE /v1/administration/snapshots/:date', 'Results of a report', 'Stay with the run', async () => {
    const id = await newReport()
    await runReport(id)
    const before = (await elements(`/api/v1/reports/${id}/runs`))[0]
    await newScanned({}, '2026-01-07')
    await remove('/api/v1/administration/snapshots/2026-01-07')
    expect((await elements(`/api/v1/reports/${id}/runs`))[0]).toEqual(before)
  }),
  cell(
    'DELETE /v1/administration/snapshots/:date',
    'Open action on its files',
    'Continues with its frozen list',
    async () => {
      const films = await newScanned({}, '2026-01-08')
      const jobId = await startAction('COMPARE_FILES', { dataIntellPaths: [films.path] }, '?indexingDate=2026-01-08')
      await remove('/api/v1/administration/snapshots/2026-01-08')
      expect(await startTask(jobId)).toMatchObject({ type: 'action' })
      await cancel(jobId)
    },
  ),
  cell('DELETE /v1/storage-prices/:id', 'Storage', 'Refused with the names of the storages', async () => {
    const id = await newPriceBook()
    const films = await newStorage({ storagePrice: { id } })
    expect((await remove(`/api/v1/storage-prices/${id}`, 409)).body.message).toContain(`is used by ${films.name}`)
  }),
  cell(
    'DELETE /v1/savedSearches/:id',
    'Nothing',
    'A report that was made from it keeps its own conditions',
    async () => {
      const saved = await create('/api/v1/savedSearches', { name: unique('Old'), query: 'name=a' })
      const id = await newReport({ parameters: { searchQueryNode: queryOf() } })
      await remove(`/api/v1/savedSearches/${saved}`)
      expect(await runReport(id)).toMatchObject({ status: 'SUCCESS' })
    },
  ),
  cell('DELETE /v1/channels/:id', 'Alert that names it', 'Sends to its other recipients', async () => {
    const id = await create('/api/v1/channels', { name: unique('Team'), kind: 'SLACK', webhook: 'https://hooks.test' })
    const { id: alert, draft } = await newSchedule('REPORT_CHECK_ALERT', { resourceIds: [], all: true })
    const changed = { ...draft, delivery: { email: true, channelIds: [id] } }
    await admin('PUT', `${schedules}/${alert}`, changed).expect(204)
    await remove(`/api/v1/channels/${id}`)
    const { body } = await admin('POST', `${schedules}/${alert}/tests`).expect(200)
    expect(body).toMatchObject([{ to: 'Your email address' }])
    await admin('PUT', `${schedules}/${alert}`, changed).expect(204)
  }),
  cell('DELETE /v1/incidents/:id/mute', 'Messages of the alert', 'Are sent again', async () => {
    const { id: scheduleId } = await newSchedule('REPORT_CHECK_ALERT', { resourceIds: [], all: true })
    const at = new Date()
    const row = { scheduleId, watchedId: 1, text: 'Rushes: check failed', startedAt: at, mutedAt: at }
    const { id } = await db.insertInto('alertIncidents').values(row).returning('id').executeTakeFirstOrThrow()
    await remove(`/api/v1/incidents/${id}/mute`)
    expect(await read('/api/v1/alerts/firing')).toMatchObject([{ id, mute: null }])
  }),
  cell('DELETE /v1/notifications/:id', 'Mail or webhook that waits', 'Is not sent', async () => {
    expect(await afterNotification('waiting')).toEqual([])
  }),
  cell(
    'DELETE /v1/notifications/:id',
    'Mail that was sent',
    'Stays, and counts toward the limit of its sender',
    async () => {
      expect(await afterNotification('sent')).toMatchObject([{ notificationId: null, state: 'sent' }])
    },
  ),
]

async function afterNotification(state: 'waiting' | 'sent') {
  const bo = await newUser()
  const id = await create('/api/v1/notifications', { email: true }, bo.ask)
  const row = {
    notificationId: id,
    userId: bo.id,
    senderId: bo.id,
    channel: 'email',
    subject: 'Subject',
    body: '',
  } as const
  await db
    .insertInto('deliveries')
    .values({ ...row, state, key: unique('mail') })
    .execute()
  await bo.ask('DELETE', `/api/v1/notifications/${id}`).expect(204)
  return deliveries()
}

async function newProject() {
  const { id: volumeId } = await newScanned()
  return create('/api/projects', {
    name: unique('Rushes'),
    description: '',
    allocatedSize: 1e6,
    paths: [{ volumeId, path: '/' }],
  })
}

const access: Cell[] = [
  ...['/v1/sessions/:id', '/v1/sessions/own/:id', '/v1/sessions/own'].map((path) =>
    cell(`DELETE ${path}`, 'Calls of the session', 'Refused; other sessions and API tokens continue', async () => {
      const bo = await newUser()
      const other = asUser(app, await openSession(db, bo.id, '127.0.0.1'))
      const { token } = (await bo.ask('POST', '/api/v1/apiTokens', { name: unique('Token'), roles: [] }).expect(200))
        .body
      const { id } = await db
        .selectFrom('sessions')
        .select('id')
        .where('userId', '=', bo.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      expect((await bo.ask('DELETE', `/api${path.replace(':id', String(id))}`)).status).toBeLessThan(300)
      await other('GET', '/api/currentUserInfo').expect(401)
      await bo.ask('GET', '/api/currentUserInfo').expect(200)
      await request(app).get('/api/currentUserInfo').set('Authorization', `Bearer ${token}`).expect(200)
    }),
  ),
  cell(
    'DELETE /v1/view',
    "Session of the administrator who sees a user's screens",
    'Continues, with what it saw before',
    async () => {
      const [bo, chief] = [await newUser(), await newUser(['ROLE_ADMIN'])]
      const started = await chief.ask('POST', `/api/v1/users/${bo.id}/view`).expect(204)
      expect(String(started.headers['set-cookie'])).toContain('VIEW=')
      await chief.ask('DELETE', '/api/v1/view').expect(204)
      await chief.ask('GET', '/api/v1/users').expect(200)
    },
  ),
  cell('DELETE /v1/apiTokens/:id', 'Job that a script launched', 'Continues; the next call is refused', async () => {
    const draft = { name: unique('Token'), roles: ['ROLE_ADMIN'] }
    const { id, token } = (await admin('POST', '/api/v1/apiTokens', draft).expect(200)).body
    const films = await newStorage()
    const call = () =>
      request(app)
        .post('/api/v1/scans/storages')
        .set('Authorization', `Bearer ${token}`)
        .send({ storageIdToPath: { [films.id]: '' } })
    const { jobId } = (await call().expect(200)).body
    await remove(`/api/v1/apiTokens/${id}`)
    await call().expect(401)
    expect((await jobOf(jobId)).status).toMatch(/NEW|AVAILABLE/)
    await cancel(jobId)
  }),
  cell(
    'DELETE /v1/eventLog/destinations/:id',
    'Event that it has not received',
    'Is not sent, and stays in the log',
    async () => {
      const draft = { name: unique('SIEM'), kind: 'SYSLOG_UDP', address: '127.0.0.1:9' }
      const id = await create('/api/v1/eventLog/destinations', draft)
      await remove(`/api/v1/eventLog/destinations/${id}`)
      expect(await elements('/api/v1/eventLog/destinations')).toEqual([])
      expect(await elements(`/api/v1/events?stream=event-destination-${id}`)).toHaveLength(2)
    },
  ),
  cell('DELETE /v1/wall/tokens/:id', 'Open display', 'Ends; other displays continue', async () => {
    const [lobby, hall] = [await newDisplay(), await newDisplay()]
    await remove(`/api/v1/wall/tokens/${lobby.id}`)
    await lobby.dashboard().expect(401)
    await hall.dashboard().expect(200)
  }),
  ...[
    { path: '/v1/secondFactor', status: 200, sessions: 'its sessions continue' },
    { path: '/v1/users/:id/secondFactor', status: 401, sessions: 'the sessions of the user end' },
  ].map(({ path, status, sessions }) =>
    cell(`DELETE ${path}`, 'Recovery codes and sessions', `The codes are deleted, and ${sessions}`, async () => {
      const bo = await newUser()
      await db.insertInto('secondFactors').values({ userId: bo.id, secret: 'sealed', since: new Date() }).execute()
      await db.insertInto('recoveryCodes').values({ userId: bo.id, codeHash: 'a' }).execute()
      const ask = path.includes(':id') ? admin : bo.ask
      await ask('DELETE', `/api${path.replace(':id', String(bo.id))}`).expect(204)
      expect(await db.selectFrom('recoveryCodes').selectAll().where('userId', '=', bo.id).execute()).toEqual([])
      await bo.ask('GET', '/api/currentUserInfo').expect(status)
    }),
  ),
]

async function newDisplay() {
  const { id, token } = (await admin('POST', '/api/v1/wall/tokens', { name: unique('Lobby') }).expect(200)).body
  const { headers } = await asUser(app, undefined)('POST', '/api/v1/wall/session', { token }).expect(200)
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  return { id, dashboard: () => request(app).get('/api/v1/dashboard').set('Cookie', cookie) }
}

export const ofWork: Cell[] = [...work, ...access]
