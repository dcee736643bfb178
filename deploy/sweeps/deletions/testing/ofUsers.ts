import request from 'supertest'
import { expect } from 'vitest'
import { sendDue } from '#server/messages/notifications/sendDue.ts'
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
  newReport,
  newSchedule,
  newScanned,
  newStorage,
  newUser,
  p5Credentials,
  planArchive,
  platform,
  queryOf,
  read,
  remove,
  removeUser,
  reportOf,
  runReport,
  runReportWhenDue,
  startScan,
  unique,
} from './product.ts'

const cell = (refers: string, happens: string, run: Cell['run']): Cell => ({
  call: 'DELETE /v1/users/:id',
  refers,
  happens,
  run,
})

const delivery = { addresses: ['c@example.com'], webhook: 'https://hooks.example.com/T0/secret', when: 'ALWAYS' }
const schedule = { cron: '0 0 3 * * ?', paused: false }
/** A report with a webhook of a user who was deleted; `run` is the first run after that. */
async function ofDeleted(run: (id: number) => Promise<{ status: string }>) {
  const bo = await newUser()
  const id = await newReport({ delivery, schedule }, bo.ask)
  await removeUser(bo)
  expect(await run(id)).toMatchObject({ status: 'SUCCESS' })
  expect((await deliveries()).map(({ address, channel }) => [address, channel])).toEqual([['c@example.com', 'email']])
  expect(await reportOf(id)).toMatchObject({
    createdBy: bo.name,
    delivery: { addresses: ['c@example.com'], webhook: null },
    isWebhookUserDeleted: true,
    schedule,
  })
  return id
}

const templates = '/api/v1/reports/templates'
const spaceOf = (id: number) => ({ threshold: 80, resourceIds: [id] })
const alerts = '/api/v1/schedules?jobGroup=ALERT'
/** An alert of a user who was deleted. */
async function alertOfDeleted() {
  const bo = await newUser([])
  const webhook = { webhook: 'https://hooks.example.com/T0/secret' }
  const films = await newStorage()
  const made = await newSchedule('VOLUME_SPACE_ALERT', spaceOf(films.id), bo.ask, { delivery: webhook })
  await removeUser(bo)
  const [listed] = await read(alerts)
  expect(listed).toMatchObject({
    id: made.id,
    paused: true,
    nextRuns: [],
    alert: { isOwnerDeleted: true, isWebhookLost: true },
  })
  return made
}

const savedSearches = '/api/v1/savedSearches'

export const ofUsers: Cell[] = [
  cell('Webhook of a report, run by hand', 'Skipped with a note at the report; other recipients get their mail', () =>
    ofDeleted(runReport),
  ),
  cell('Webhook of a report, run by its schedule', 'Same', () => ofDeleted(runReportWhenDue)),
  cell('Webhook of a report, for others', 'Anyone who may edit the report can change or replace it', async () => {
    const id = await ofDeleted(runReport)
    const manager = await newUser(['ROLE_PROJECT_MANAGER'])
    const { name, type, parameters, retention } = await reportOf(id)
    const change = { name, type, retention, parameters: { ...parameters, references: [], comparison: [] } }
    const often = { cron: '0 0 * * * ?', paused: false }
    await manager.ask('PUT', `${templates}/${id}`, { ...change, schedule: often }).expect(200)
    expect(await reportOf(id)).toMatchObject({ schedule: often, isWebhookUserDeleted: true })
    await manager.ask('PUT', `${templates}/${id}`, { ...change, delivery }).expect(200)
    const { webhook } = delivery
    expect(await reportOf(id, manager.ask)).toMatchObject({ delivery: { webhook }, isWebhookUserDeleted: false })
  }),
  cell(
    'Address among the recipients of others',
    'Still gets their emails; the question before deleting says so',
    async () => {
      const bo = await newUser()
      const email = `${bo.name}@example.com`
      const name = unique('Weekly')
      const id = await newReport({ name, delivery: { addresses: [email.toUpperCase()] } })
      const films = await newStorage()
      const alert = await newSchedule('SCAN_FAILED_ALERT', { resourceIds: [films.id] }, admin, {
        delivery: { addresses: [email] },
      })
      expect(await read(`/api/v1/dependents?of=user&id=${bo.id}`)).toEqual([
        `Reports ${name}: still email ${email}.`,
        `Alerts ${alert.draft.name}: still email ${email}.`,
      ])
      await removeUser(bo)
      expect(await runReport(id)).toMatchObject({ status: 'SUCCESS' })
      expect((await deliveries()).map(({ address }) => address)).toEqual([email.toUpperCase()])
    },
  ),
  cell('Alert', 'Stays, paused; administrators see it, others do not', async () => {
    const { id, draft } = await alertOfDeleted()
    const ana = await newUser([])
    expect(await read(alerts, ana.ask)).toEqual([])
    await ana.ask('PUT', `/api/v1/schedules/${id}`, draft).expect(404)
    await ana.ask('DELETE', `/api/v1/schedules/${id}`).expect(404)
    await remove(`/api/v1/schedules/${id}`)
  }),
  cell(
    'Alert that an administrator resumes',
    'Becomes the alert of that administrator, without the webhook',
    async () => {
      const { id, draft } = await alertOfDeleted()
      const boss = await newUser()
      const { delivery: _, ...rest } = draft as typeof draft & { delivery?: object }
      await boss.ask('PUT', `/api/v1/schedules/${id}`, { ...rest, paused: false }).expect(204)
      expect(await read(alerts)).toEqual([])
      const [own] = await read(alerts, boss.ask)
      expect(own).toMatchObject({ id, paused: false, payload: { userId: boss.id }, alert: { isOwnerDeleted: false } })
      expect(own.nextRuns).toHaveLength(3)
    },
  ),
  cell('Mail or webhook that waits', 'Fails for good: the user was deleted', async () => {
    const bo = await newUser()
    const row = { userId: bo.id, subject: 'Subject', body: '{}' }
    await db
      .insertInto('deliveries')
      .values({ ...row, key: unique('mail'), channel: 'email' })
      .execute()
    await db
      .insertInto('deliveries')
      .values({ ...row, key: unique('post'), channel: 'webhook', webhook: 'v1.a.b.c' })
      .execute()
    await removeUser(bo)
    for (const channel of ['email', 'webhook'] as const) await sendDue(platform, channel)
    const ends = (await deliveries()).map(({ state, reason, userId }) => ({ state, reason, userId }))
    const failed = { state: 'failed', reason: 'The user was deleted', userId: bo.id }
    expect(ends).toEqual([failed, failed])
  }),
  cell('Mail that was sent', 'Stays in the outbox, for 30 days', async () => {
    const bo = await newUser()
    const sent = {
      userId: bo.id,
      senderId: bo.id,
      channel: 'email',
      state: 'sent',
      subject: 'Subject',
      body: '',
    } as const
    await db
      .insertInto('deliveries')
      .values({ ...sent, key: unique('mail') })
      .execute()
    await removeUser(bo)
    expect(await deliveries()).toMatchObject([{ userId: bo.id, senderId: null, state: 'sent' }])
  }),
  cell('Saved search', 'Stays if it is shared, for administrators to change; private ones are deleted', async () => {
    const bo = await newUser([])
    await create(savedSearches, { name: 'Private', query: 'a=b' }, bo.ask)
    const shared = await create(savedSearches, { name: 'Shared', query: 'a=b', isShared: true }, bo.ask)
    await removeUser(bo)
    const ana = await newUser([])
    const row = { id: shared, name: 'Shared', query: 'a=b', isShared: true, owner: null }
    expect(await elements(savedSearches, ana.ask)).toEqual([{ ...row, mayChange: false }])
    await ana.ask('DELETE', `${savedSearches}/${shared}`).expect(403)
    expect(await db.selectFrom('savedSearches').select('id').where('userId', 'is', null).execute()).toEqual([
      { id: shared },
    ])
    const boss = await newUser()
    await boss.ask('PUT', `${savedSearches}/${shared}`, { name: 'Taken', query: 'a=b', isShared: false }).expect(204)
    expect(await elements(savedSearches, boss.ask)).toMatchObject([{ name: 'Taken', owner: boss.name }])
  }),
  cell('Job notification', 'Deleted', async () => {
    const bo = await newUser()
    const id = await create('/api/v1/notifications', { webhook: 'https://hooks.example.com/x' }, bo.ask)
    await removeUser(bo)
    expect(await db.selectFrom('notifications').select('id').where('id', '=', id).execute()).toEqual([])
  }),
  cell('Session and API token', 'Ended: the next call is refused', async () => {
    const bo = await newUser()
    const { token } = (await bo.ask('POST', '/api/v1/apiTokens', { name: unique('Token'), roles: [] }).expect(200)).body
    await removeUser(bo)
    await bo.ask('GET', '/api/currentUserInfo').expect(401)
    await request(app).get('/api/currentUserInfo').set('Authorization', `Bearer ${token}`).expect(401)
  }),
  cell('Second factor and address codes', 'Deleted', async () => {
    const bo = await newUser()
    await db.insertInto('secondFactors').values({ userId: bo.id, secret: 'sealed', since: new Date() }).execute()
    await db.insertInto('recoveryCodes').values({ userId: bo.id, codeHash: 'a' }).execute()
    await db.insertInto('addressCodes').values({ userId: bo.id, address: 'a@example.com', codeHash: 'a' }).execute()
    await removeUser(bo)
    for (const table of ['secondFactors', 'recoveryCodes', 'addressCodes'] as const)
      expect(await db.selectFrom(table).select('userId').where('userId', '=', bo.id).execute()).toEqual([])
  }),
  cell('Open job that they launched', 'Continues, for those who see all jobs', async () => {
    const bo = await newUser()
    const jobId = await startScan(await newStorage(), bo.ask)
    await removeUser(bo)
    expect((await jobOf(jobId)).status).toMatch(/NEW|AVAILABLE/)
    await cancel(jobId)
  }),
  cell('Plan of an action', 'No one can start it; it is dropped after a day', async () => {
    const bo = await newUser()
    const plan = await planArchive(await p5Credentials(), await newScanned(), {}, bo.ask)
    await removeUser(bo)
    await admin('POST', `/api/v1/actions/plans/${plan}/start`).expect(404)
  }),
  cell('Wall display', 'Keeps showing', async () => {
    const bo = await newUser()
    const { token } = (await bo.ask('POST', '/api/v1/wall/tokens', { name: unique('Lobby') }).expect(200)).body
    await removeUser(bo)
    await asUser(app, undefined)('POST', '/api/v1/wall/session', { token }).expect(200)
  }),
  cell('Event', 'Keeps the name', async () => {
    const bo = await newUser()
    const id = await newReport({ parameters: { searchQueryNode: queryOf() } }, bo.ask)
    await removeUser(bo)
    const events = db.selectFrom('events').select('actor').where('stream', '=', `report-${id}`)
    expect(await events.execute()).toEqual([{ actor: bo.name }])
  }),
]
