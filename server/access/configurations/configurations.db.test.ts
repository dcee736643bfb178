import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ConfigurationName, configurationNames } from '#events/configurations.ts'
import { createApp } from '#server/app.ts'
import { listConfigurations } from './listConfigurations.ts'
import { openLog } from '#server/platform/logger.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { configured, configuredNumber, configurationRoutes, mailServer } from './index.ts'

const logs = testFolder('logs')
const sent: unknown[] = []
const platform = { ...(await testPlatform()), log: openLog(logs), live: (event: unknown) => void sent.push(event) }
const { db } = platform
const app = createApp(platform, configurationRoutes(platform))
const ana = await testUser(db, ['ROLE_ADMIN'])
const admin = asUser(app, await openSession(db, ana.id, '127.0.0.1'))

const path = '/api/configurations'
const list = async () => (await admin('GET', path).expect(200)).body as { name: string; value: string | null }[]
const put = (values: Partial<Record<ConfigurationName, string>>) =>
  admin(
    'PUT',
    path,
    Object.entries(values).map(([name, value]) => ({ name, value })),
  )
const events = () =>
  db.selectFrom('events').selectAll().where('stream', '=', 'configuration').orderBy('version').execute()
const planted = 'planted-PASSWORD-7319'

test('every entry is listed, with its default value until it is set', async () => {
  const entries = await list()
  expect(entries.map(({ name }) => name)).toEqual(configurationNames)
  expect(entries).toContainEqual({
    name: 'spring.mail.port',
    description: 'Mail port',
    value: '587',
    isHashed: false,
    isSet: false,
    isLost: false,
  })
  expect(entries).toContainEqual(
    expect.objectContaining({ name: 'spring.mail.password', value: null, isHashed: true, isSet: false }),
  )
})

test('a change is returned, recorded with its before and after, and sent to browsers', async () => {
  sent.length = 0
  const { body } = await put({ jobRetention: '14', 'spring.mail.port': '587', jobQueuedLength: '0' }).expect(200)
  expect(body.map(({ name, value, isSet }: never) => [name, value, isSet])).toEqual([
    ['jobRetention', '14', true],
    ['jobQueuedLength', '0', true],
  ])
  expect([await configuredNumber(db, 'jobRetention'), await configured(db, 'jobQueuedLength')]).toEqual([14, '0'])
  expect(sent).toEqual([{ type: 'changed', topics: ['configurations'] }])
  expect((await events()).at(-1)).toMatchObject({
    actor: ana.name,
    data: {
      before: { jobRetention: '30', jobQueuedLength: '100' },
      after: { jobRetention: '14', jobQueuedLength: '0' },
    },
  })
  const { body: again } = await put({ jobRetention: '14' }).expect(200)
  expect(again).toEqual([])
  expect(sent).toHaveLength(1)
  await put({ jobRetention: '30' }).expect(200)
  expect((await list()).find(({ name }) => name === 'jobRetention')).toMatchObject({ value: '30', isSet: false })
})

const wrong: [Partial<Record<ConfigurationName, string>>, string][] = [
  [{ jobRetention: 'ten' }, 'Value must be a positive number'],
  [{ jobRetention: '' }, 'Value must be a positive number'],
  [{ jobRetention: '-1' }, 'Value must be a positive number'],
  [{ jobRetention: '0' }, 'Value must be a positive number'],
  [{ jobRetention: '1.5' }, 'Value must be a positive number'],
  [{ serverNumberOfThreads: '257' }, 'Value must be at most 256'],
  [{ numberOfFiles: '-0' }, 'Value must be a positive number'],
  [{ folderDepth: '1e3' }, 'Value must be a positive number'],
  [{ maxNumberOfFilesCsv: '0' }, 'Value must be a positive number'],
  [{ snapshotNumberOfDays: '0' }, 'Value must be a positive number'],
  [{ snapshotNumberOfDays: '36501' }, 'Value must be at most 36500'],
  [{ deletedFilesNumberOfDays: '0' }, 'Value must be a positive number'],
  [{ 'scan.tagDuplicate.minimumSize': '1 GB' }, 'Value must be a positive number'],
  [{ isHealthCheckActive: 'yes' }, 'Value must be true or false'],
  [{ 'spring.mail.port': '0x50' }, 'Value must be a positive number'],
  [{ 'spring.mail.port': '65536' }, 'Value must be at most 65535'],
  [{ 'spring.mail.username': 'two\nlines' }, 'Value must not contain control characters'],
  [{ 'spring.mail.host': 'a b' }, 'Hostname must be a name or an address'],
  [{ 'spring.mail.from': 'ana' }, 'From must be a well-formed email address'],
  [{ 'spring.mail.from': 'ana@example.com, eve@example.com' }, 'From must be a well-formed email address'],
  [{ 'app.url': 'https://' }, "URL can't be empty"],
  [{ 'app.url': 'http:' }, "URL can't be empty"],
  [{ 'app.url': 'ftp://example.com' }, 'URL must begin with http:// or https://'],
  [{ 'app.url': 'javascript:alert(1)' }, 'URL must begin with http:// or https://'],
  [{ 'spring.mail.properties.mail.smtp.auth': 'yes' }, 'Value must be true or false'],
  [{ mailSignIn: 'oauth' }, 'Value must be password, microsoft, google'],
  [{ mailTenant: '../common' }, 'Tenant must be an ID or a domain'],
  [{ mailTenant: 'a/b?c' }, 'Tenant must be an ID or a domain'],
  [{ mailServiceKey: 'x'.repeat(8_001) }, 'Service account key must have at most 8000 characters'],
  [{ 'spring.mail.password': 'x'.repeat(1_001) }, 'Password must have at most 1000 characters'],
]
const named = wrong.map(([given, message]) => [JSON.stringify(given).slice(0, 60), given, message] as const)
test.each(named)(
  '%s is refused in the specified words, and nothing else of that request is kept',
  async (_, given, message) => {
    const [name = ''] = Object.keys(given)
    const before = [await list(), (await events()).length]
    const answer = await put({ ...given, ...(name !== 'jobQueuedLength' && { jobQueuedLength: '77' }) }).expect(400)
    expect(answer.body).toEqual({ message: 'Validation errors', subErrors: [{ field: name, message }] })
    expect([await list(), (await events()).length]).toEqual(before)
  },
)

test('related settings are checked together: a host needs a username while authentication is on', async () => {
  const lacking = [{ field: 'spring.mail.username', message: "Username can't be empty" }]
  const host = { 'spring.mail.host': 'mail.example.com' }
  expect((await put(host).expect(400)).body.subErrors).toEqual(lacking)
  const open = { 'spring.mail.properties.mail.smtp.auth': 'false' } as const
  await put({ ...host, ...open }).expect(200)
  expect((await put({ 'spring.mail.properties.mail.smtp.auth': 'true' }).expect(400)).body.subErrors).toEqual(lacking)
  await put({ 'spring.mail.properties.mail.smtp.auth': 'true', 'spring.mail.username': 'ana' }).expect(200)
  expect((await put({ 'spring.mail.host': ' ' }).expect(400)).body.subErrors).toEqual([
    { field: 'spring.mail.host', message: "Hostname can't be empty" },
  ])
  const all = await put({ 'spring.mail.username': '', 'spring.mail.port': 'x', 'app.url': 'http://' }).expect(400)
  expect(all.body.subErrors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'app.url',
    'spring.mail.port',
    'spring.mail.username',
  ])
  const twice = [
    { name: 'jobRetention', value: '5' },
    { name: 'jobRetention', value: '6' },
  ]
  expect((await admin('PUT', path, twice).expect(400)).body.subErrors[0].field).toBe('jobRetention')
})

test('a form that sends back what it read changes nothing, also where nothing was set yet', async () => {
  const readBack = (await list()).flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
  expect((await admin('PUT', path, readBack).expect(200)).body).toEqual([])
})

test('a password stored with another key is reported as lost, also to those whose emails use it', async () => {
  const mail = { 'spring.mail.host': 'mail.example.com', 'spring.mail.username': 'ana' }
  await put({ ...mail, 'spring.mail.password': planted }).expect(200)
  const elsewhere = { ...platform, config: { ...platform.config, secretKey: 'another key that has 32 characters' } }
  const there = asUser(createApp(elsewhere, configurationRoutes(elsewhere)), await openSession(db, ana.id, '127.0.0.1'))
  const lost = async (ask: typeof admin) =>
    (await ask('GET', path).expect(200)).body.filter(({ isLost }: { isLost: boolean }) => isLost)
  expect(await lost(admin)).toEqual([])
  expect(await lost(there)).toMatchObject([{ name: 'spring.mail.password', isSet: true }])
  await expect(mailServer(elsewhere)).rejects.toThrow(
    /^The mail password cannot be opened: it was stored with the key .* Enter it again/,
  )
  await put({ 'spring.mail.password': '' }).expect(200)
})

test('a password is stored and never returned: in no answer, event, row or line of the log', async () => {
  const answers = [
    await put({ 'spring.mail.password': planted }).expect(200),
    await put({ 'spring.mail.password': `${planted}-2` }).expect(200),
    await put({ 'spring.mail.password': `${planted}${'x'.repeat(1_000)}` }).expect(400),
    await put({ 'spring.mail.password': `${planted}\u0000`, jobRetention: planted }).expect(400),
    await admin('GET', path).expect(200),
  ]
  expect(answers[0]!.body).toEqual([
    expect.objectContaining({ name: 'spring.mail.password', value: null, isSet: true }),
  ])
  platform.log.info(
    { answers: answers.map(({ body }) => body), server: await mailServer(platform) },
    'the end of the test',
  )
  const [first, second] = (await events()).slice(-2)
  expect(first!.data).toMatchObject({
    before: { 'spring.mail.password': '(not set)' },
    after: { 'spring.mail.password': '(set)' },
  })
  expect(second!.data).toMatchObject({ before: { 'spring.mail.password': '(set)' } })
  const log = () =>
    readdirSync(logs)
      .map((file) => readFileSync(join(logs, file), 'utf8'))
      .join('')
  await expect.poll(log).toContain('the end of the test')
  const everywhere = JSON.stringify([
    answers.map(({ body, headers }) => [body, headers]),
    await db.selectFrom('events').selectAll().execute(),
    await db.selectFrom('configurations').selectAll().execute(),
    log(),
  ])
  expect(everywhere).toContain('(not set)')
  expect(everywhere).not.toContain('planted-PASSWORD')
  expect((await mailServer(platform))?.auth).toEqual({ user: 'ana', password: `${planted}-2` })
})

test('an empty password takes the one away that was set', async () => {
  await put({ 'spring.mail.password': '' }).expect(200)
  expect((await mailServer(platform))?.auth).toEqual({ user: 'ana', password: '' })
  expect((await events()).at(-1)!.data).toMatchObject({ after: { 'spring.mail.password': '(not set)' } })
})

test('shards and replicas match the cluster', async () => {
  const { clickhouse } = platform
  const system = { ...clickhouse.system, cluster: 'studio' }
  const onCluster = {
    ...platform,
    clickhouse: { ...clickhouse, system, one: async () => ({ shards: 3, replicas: 1 }) },
  }
  const entries = await listConfigurations(onCluster as unknown as typeof platform)
  const valueOf = (name: string) => entries.find((entry) => entry.name === name)?.value
  expect(valueOf('fileNumberOfShards')).toBe('3')
  expect(valueOf('reportNumberOfReplicas')).toBe('1')
})

test('agents that may get a secret are IDs of agents that exist, and in the event log', async () => {
  const { id } = await db.insertInto('agents').values({ name: 'Lists' }).returning('id').executeTakeFirstOrThrow()
  const allow = (iconikAgents: string) => put({ iconikAgents })
  expect((await allow(` ${id} , 1,${id}`).expect(200)).body).toMatchObject([{ value: `1,${id}` }])
  expect((await events()).at(-1)?.data).toMatchObject({
    before: { iconikAgents: '' },
    after: { iconikAgents: `1,${id}` },
  })
  for (const value of ['x', '1,,2', '0', '1 2', '-1', '1.5', '٣'])
    expect((await allow(value).expect(400)).body.subErrors).toEqual([
      { field: 'iconikAgents', message: 'Agents must be IDs, separated by commas' },
    ])
  expect((await put({ sodaAgents: '1,999' }).expect(400)).body.subErrors).toEqual([
    { field: 'sodaAgents', message: 'Agents must exist' },
  ])
  expect((await allow('').expect(200)).body).toMatchObject([{ value: '', isSet: false }])
})
