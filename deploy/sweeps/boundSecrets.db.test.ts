import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { configurationKeys } from '#events/configurations.ts'
import { SourceOrder } from '#events/sources/scanOrder.ts'
import { emptyProbe } from '#events/sources/folderCheck.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { configuredSecret } from '#server/access/configurations/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const admin = asUser(createApp(platform, routesOf(platform)), await testSession(db, ['ROLE_ADMIN']))
const storagePrice = await testPriceBook(db)
const password = 'planted-PASSWORD-6120'

const wrongOf = (body: { subErrors?: { field: string; message: string }[] }) =>
  (body.subErrors ?? []).map(({ field, message }) => `${field} ${message}`)
const enterAgain = 'must be entered again, because it would go to another address'
const p5 = { name: 'Tapes', username: 'p5', password, url: 'https://p5.example.com', certificateFingerprint: '' }
const storNext = { name: 'Studio', host: 'mdc.example.com', username: 'ws', password }
const s3 = {
  name: 'Store',
  type: 'OTHER',
  url: 'https://s3.example.com',
  accessKey: 'AKIAEXAMPLE',
  privateKey: password,
}
const cases = [
  ['P5', '/api/v1/archiwares/credentials', p5, { password: null }, { url: 'https://thief.example.com' }, 'password'],
  ['P5, port', '/api/v1/archiwares/credentials', p5, { password: '' }, { url: `${p5.url}:8443` }, 'password'],
  [
    'StorNext',
    '/api/v1/storageManager/configs',
    storNext,
    { password: null },
    { host: 'thief.example.com' },
    'password',
  ],
  [
    'StorNext, port',
    '/api/v1/storageManager/configs',
    storNext,
    { password: null },
    { host: 'mdc.example.com:1' },
    'password',
  ],
  [
    'S3',
    '/api/v1/bucket-credentials',
    s3,
    { accessKey: null, privateKey: null },
    { url: 'https://thief.example.com' },
    'accessKey',
  ],
  [
    'S3, one of two keys',
    '/api/v1/bucket-credentials',
    s3,
    { privateKey: null },
    { url: 'http://s3.example.com' },
    'privateKey',
  ],
  [
    'shares, port',
    '/api/v1/networkVolumes/credentials',
    { name: 'NAS', username: 'scan', password, domain: '', options: '' },
    { password: null },
    { options: 'port=4450' },
    'password',
  ],
  ...['port=0x1162', 'sec=none', 'vers=1.0, sec = ntlm', 'vers=3.0,vers=2.0'].map(
    (options) =>
      [
        `shares, ${options}`,
        '/api/v1/networkVolumes/credentials',
        { name: 'NAS', username: 'scan', password, domain: '', options: 'hard' },
        { password: null },
        { options },
        'password',
      ] as const,
  ),
] as const

test.each(cases)('%s: a stored secret stays with its address', async (name, path, draft, kept, moved, field) => {
  const named = { ...draft, name }
  const { id } = (await admin('POST', path, named).expect(200)).body
  const change = (changes: object) => admin('PUT', `${path}/${id}`, { ...named, ...changes })
  expect(wrongOf((await change({ ...kept, ...moved }).expect(400)).body)).toEqual([`${field} ${enterAgain}`])
  await change({ ...kept, name: `${name} renamed` }).expect(204)
  await change(moved).expect(204)
})

const checks = [
  ['P5', '/api/v1/archiwares/credentials', p5, { password: null }, { url: 'https://thief.example.com' }, 'password'],
  [
    'S3',
    '/api/v1/bucket-credentials',
    s3,
    { accessKey: null, privateKey: null },
    { url: 'https://thief.example.com' },
    'key',
  ],
  ['S3, one key', '/api/v1/bucket-credentials', s3, { privateKey: null }, { url: 'http://s3.example.com' }, 'key'],
] as const

test.each(checks)(
  '%s: a test before saving sends a stored secret nowhere else',
  async (name, path, draft, kept, moved, secret) => {
    const named = { ...draft, name: `${name} tested` }
    const { id } = (await admin('POST', path, named).expect(200)).body
    const { body } = await admin('POST', `${path}/check`, { id, draft: { ...named, ...kept, ...moved } }).expect(200)
    expect(body).toEqual({ reason: `The ${secret} ${enterAgain}`, field: 'credentials' })
  },
)

const put = (values: Record<string, string>) =>
  admin(
    'PUT',
    '/api/configurations',
    Object.entries(values).map(([name, value]) => ({ name, value })),
  )

const refusedSecret = (name: string) => [
  `${name} must be entered again, because it would be sent elsewhere or differently`,
]

const ofMail = ['spring.mail.password', 'mailClientSecret', 'mailServiceKey'] as const
test.each(ofMail)('%s stays with its mail server and port', async (secret) => {
  await db.deleteFrom('configurations').execute()
  await put({ [secret]: password }).expect(200)
  await put({ 'spring.mail.host': 'mail.example.com', 'spring.mail.username': 'ana' }).expect(200)
  const refused = refusedSecret(`${secret} ${configurationKeys[secret].description}`)
  expect(wrongOf((await put({ 'spring.mail.host': 'thief.example.com' }).expect(400)).body)).toEqual(refused)
  expect(wrongOf((await put({ 'spring.mail.port': '2525' }).expect(400)).body)).toEqual(refused)
  const openly = { 'spring.mail.properties.mail.smtp.starttls.enable': 'false' }
  expect(wrongOf((await put(openly).expect(400)).body)).toEqual(refused)
  await put({ 'spring.mail.host': 'MAIL.example.com', 'spring.mail.username': 'bo' }).expect(200)
  expect(await configuredSecret(platform, secret)).toBe(password)
  await put({ 'spring.mail.host': 'new.example.com', [secret]: 'another' }).expect(200)
  await put({ 'spring.mail.host': 'third.example.com', [secret]: '' }).expect(200)
})

test.each([
  ['sodaUrl', 'https://soda.example.com', 'sodaClientSecret', 'SODA client secret'],
  ['iconikUrl', 'https://app.iconik.io', 'iconik.authtoken', 'Iconik Auth-Token'],
])('a secret stays with its address in %s, also by way of none', async (url, address, secret, name) => {
  await put({ [url]: address, [secret]: password }).expect(200)
  const refused = refusedSecret(`${secret} ${name}`)
  expect(wrongOf((await put({ [url]: 'https://eu.example.com' }).expect(400)).body)).toEqual(refused)
  await put({ [url]: `${address.replace('app', 'APP').replace('soda', 'SODA')}/` }).expect(200)
  await put({ [url]: 'https://eu.example.com', [secret]: password }).expect(200)
  expect(wrongOf((await put({ [url]: '' }).expect(400)).body)).toEqual(refused)
  await put({ [url]: '', [secret]: password }).expect(200)
})

const credential = { name: 'Filers', username: 'scan', password, domain: '', options: '' }
const share = {
  dataintellName: 'Media',
  type: 'SMB',
  host: 'nas.example.com',
  shareName: 'media',
  options: '',
  path: '/',
  serverId: 1,
  storagePrice,
}
const cluster = {
  host: 'isilon.example.com',
  dataintellName: 'Renders',
  path: '/ifs/data',
  scanType: 'VOLUME_MULTITHREAD',
  storagePrice,
  fullScanSnapshotExpiresDays: 7,
  deltaScanSnapshotExpiresDays: 3,
}
/** The password of all credentials was entered an hour ago. */
const later = async () => {
  for (const table of ['networkCredentials', 'powerScaleCredentials'] as const)
    await db
      .updateTable(table)
      .set({ enteredAt: sql<Date>`now() - interval '1 hour'` })
      .execute()
}

test('credentials of shares go only to hosts that they were used for, until their password is entered again', async () => {
  const credentials = '/api/v1/networkVolumes/credentials'
  const { id } = (await admin('POST', credentials, credential).expect(200)).body
  const draft = { ...share, networkVolumeCredential: { id } }
  const media = (await admin('POST', '/api/v1/networkVolumes', draft).expect(200)).body
  await later()
  const save = (changes: object) => admin('PUT', `/api/v1/networkVolumes/${media.id}`, { ...draft, ...changes })
  const refusedFor = (host: string) => [
    `networkVolumeCredential.id Enter the password of these credentials again before you use them for ${host}. They are for nas.example.com.`,
  ]
  expect(wrongOf((await save({ host: 'thief.example.com' }).expect(400)).body)).toEqual(refusedFor('thief.example.com'))
  expect(wrongOf((await save({ options: 'vers=3.0, port=4450' }).expect(400)).body)).toEqual(
    refusedFor('nas.example.com:4450'),
  )
  const added = await admin('POST', '/api/v1/networkVolumes', {
    ...draft,
    dataintellName: 'New',
    host: 'thief',
  }).expect(400)
  expect(wrongOf(added.body)).toEqual(refusedFor('thief'))
  await save({ host: 'NAS.example.com', shareName: 'other', options: 'vers=3.0' }).expect(204)
  await save({ host: 'thief.example.com', type: 'NFS', shareName: '/media' }).expect(204)
  await admin('PUT', `${credentials}/${id}`, { ...credential, username: 'other', password: null }).expect(204)
  await save({ host: 'nas2.example.com' }).expect(400)
  await admin('PUT', `${credentials}/${id}`, credential).expect(204)
  await save({ host: 'nas2.example.com' }).expect(204)
  await later()
  await save({ host: 'nas2.example.com', path: '/films' }).expect(204)
  await save({}).expect(204)
})

test('a check of a folder sends stored credentials to no other host', async () => {
  const looks: string[] = []
  platform.nats.connection.subscribe(subjects.look(1), {
    callback: (_, message) => {
      const request = SourceOrder.parse(message.json())
      if (request.kind === 'networkShare') looks.push(request.mount.host)
      message.respond(JSON.stringify(emptyProbe))
    },
  })
  const named = { ...credential, name: 'Of a check' }
  const { id } = (await admin('POST', '/api/v1/networkVolumes/credentials', named).expect(200)).body
  const check = (host: string, options = '') => {
    const { type, shareName } = share
    const body = { serverId: 1, path: '/', share: { type, host, shareName, options, networkVolumeCredential: { id } } }
    return admin('POST', '/api/v1/storages/folders', body)
  }
  await check('nas.example.com').expect(200)
  await later()
  await check('nas.example.com').expect(200)
  const { body } = await check('thief.example.com').expect(200)
  expect([body.field, body.reason]).toEqual([
    'credentials',
    'Enter the password of these credentials again before you use them for thief.example.com. They are for nas.example.com.',
  ])
  expect((await check('nas.example.com', 'sec=none').expect(200)).body.field).toBe('credentials')
  expect(looks).toEqual(['nas.example.com', 'nas.example.com'])
})

test('credentials of clusters go to their hosts and ports alone', async () => {
  const credentials = '/api/v1/powerScales/credentials'
  const { id } = (await admin('POST', credentials, { name: 'Cluster', username: 'scan', password }).expect(200)).body
  const draft = { ...cluster, dellPowerScaleCredentials: { id } }
  const renders = (await admin('POST', '/api/v1/powerScales', draft).expect(200)).body
  await later()
  const save = (changes: object) => admin('PUT', `/api/v1/powerScales/${renders.id}`, { ...draft, ...changes })
  const check = {
    host: '',
    path: '/ifs/data',
    dellPowerScaleCredentials: { id },
    serverId: 1,
    certificateFingerprint: '',
  }
  for (const host of ['thief.example.com', 'isilon.example.com:1']) {
    expect(wrongOf((await save({ host }).expect(400)).body)[0]).toContain(`before you use them for ${host}`)
    const { body } = await admin('POST', '/api/v1/powerScales/check', { ...check, host }).expect(200)
    expect(body.reason).toContain(`before you use them for ${host}`)
  }
  await save({ path: '/ifs/other' }).expect(204)
})

test('existing credentials keep the hosts of their storages', async () => {
  await sql`ALTER TABLE network_credentials DROP COLUMN hosts, DROP COLUMN entered_at`.execute(db)
  await sql`ALTER TABLE power_scale_credentials DROP COLUMN hosts, DROP COLUMN entered_at`.execute(db)
  const { id } = await db
    .insertInto('networkCredentials')
    .values({ name: 'Old', username: 'a', password: 'sealed', domain: '', options: '' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { volumeId } = await db.selectFrom('networkVolumes').select('volumeId').executeTakeFirstOrThrow()
  await db
    .updateTable('networkVolumes')
    .set({ credentialId: id, host: 'NAS.example.com', options: 'vers=3.0,port=4450' })
    .where('volumeId', '=', volumeId)
    .execute()
  await sql`ALTER TABLE report_runs DROP COLUMN calls_webhook`.execute(db)
  await sql.raw(readFileSync('migrations/postgres/0073_bound_secrets.sql', 'utf8')).execute(db)
  const old = await db.selectFrom('networkCredentials').select('hosts').where('id', '=', id).executeTakeFirstOrThrow()
  expect(old.hosts).toEqual(['nas.example.com:4450'])
})
