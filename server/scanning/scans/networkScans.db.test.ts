import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { NetworkCredentialDraft, NetworkShareDraft } from '#events/sources/networkShares.ts'
import { streams } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { networkShareRoutes } from '#server/scanning/sources/index.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { tablesOf } from '#server/workers/ingest/index.ts'
import { sql as clickhouseSql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { timeZone } from '#server/platform/days.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { queueScans } from './index.ts'
import { startScanning } from './testing/startScanning.ts'
import { queueing } from './testing/queueing.ts'
import { entry, progress, rowsOf, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
const leases = { silentSince: Date.now(), lastWorkedOn: () => leases.silentSince }
await taskConsumers(nats, 1)
const { takeTask, askForOrder, send, takenIn, say, complete } = simulatedAgent(nats)
const live: LiveEvent[] = []
const scans = await startScanning({ ...platform, live: (event) => live.push(event) }, leases)
afterAll(() => scans.stop())

const password = 'planted-PASSWORD-5521'
const ask = asUser(createApp(platform, networkShareRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/networkVolumes'
const signIn = NetworkCredentialDraft.parse({ name: 'Studio', username: 'svc_scan', password })
const credential = (await ask('POST', `${path}/credentials`, signIn).expect(200)).body
const share = { dataintellName: 'Media', type: 'SMB', host: 'nas', shareName: 'media', path: '/shows' }
const storagePrice = await testPriceBook(db)
const quietHours = { from: '22:00', to: '06:00', maxLookups: 4 }
const pace = { maxLookups: 32, maxEntriesPerSecond: 500, quietHours }
const draft = NetworkShareDraft.parse({ ...share, networkVolumeCredential: credential, storagePrice, pace })
await ask('POST', path, draft).expect(200)
const [{ volumeId }] = (await ask('GET', path)).body.elements

const queue = () => queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
const scanOf = (id: number) => db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('an agent that starts a scan receives the mounts, and the password is stored nowhere on the way', async () => {
  await queue()
  const order = await takeTask()
  expect(order).toMatchObject({
    crossFileSystems: false,
    source: {
      kind: 'networkShare',
      path: '/shows',
      mount: {
        type: 'SMB',
        host: 'nas',
        shareName: 'media',
        options: '',
        credential: { username: 'svc_scan', password },
      },
    },
  })
  expect((await askForOrder(order.taskId, 2)).type).toBe('over')
  await send(order, rowsOf())
  await complete(order, 1)
  await expect.poll(async () => (await scanOf(order.scanId)).state).toBe('done')
  const rows = await sql<{ text: string }>`
    SELECT query_to_xml('SELECT * FROM ' || tablename, true, true, '')::text AS text
    FROM pg_tables WHERE schemaname = 'public'`.execute(db)
  expect(rows.rows.filter(({ text }) => text.includes(password))).toEqual([])
  for (const stream of Object.values(streams)) {
    const { state } = await nats.jsm.streams.info(stream)
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await nats.jsm.streams.getMessage(stream, { seq }).catch(() => undefined)
      expect(new TextDecoder().decode(message?.data)).not.toContain(password)
    }
  }
})

test('an agent receives the pace of a storage with the time zone of its quiet hours, and reports its own', async () => {
  await queue()
  const order = await takeTask()
  expect(order.pace).toEqual({ ...pace, timeZone: timeZone() })
  const measured = { ...progress, pace: { inFlight: 32, latencyMs: 1.8 } }
  await say(order, { type: 'progressed', progress: measured })
  const { scanId } = order
  await expect
    .poll(() => live)
    .toContainEqual(expect.objectContaining({ type: 'scanProgressed', scanId, progress: measured }))
  await db.updateTable('volumes').set({ pace: null }).where('id', '=', volumeId).execute()
  const again = await askForOrder(order.taskId)
  if (again.type !== 'scan') throw new Error(again.type)
  expect(again.order).not.toHaveProperty('pace')
  await say(again.order, { type: 'failed', reason: 'The share is gone' })
  await expect.poll(async () => (await scanOf(scanId)).state).toBe('failed')
})

test('a password that this server cannot open fails the scan and says what to do', async () => {
  const sealedElsewhere = 'v1.00000000.AAAA.AAAA'
  await db.updateTable('networkCredentials').set({ password: sealedElsewhere }).execute()
  await queue()
  await expect(takeTask()).rejects.toThrow('The password of the credentials Studio cannot be opened')
  const newest = await db.selectFrom('scans').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(newest).toMatchObject({ state: 'failed', reason: expect.stringContaining('Enter it again') })
})

test('keys of a bucket may have dots between slashes, and paths of a file storage may not', async () => {
  const { queue: queueFiles, ended } = queueing(platform)
  const { volumeId } = await queueFiles()
  const dots = blockOf((rows) => rows.add({ ...entry, parentPath: '/a/../', name: 'b', isDirectory: false }))
  const order = await takeTask()
  const staged = async ({ scanId }: { scanId: number }) => {
    await takenIn()
    return platform.clickhouse.rows(clickhouseSql`SELECT parent_path, name FROM ${tablesOf(scanId).staging}`)
  }
  await send(order, dots)
  expect(await staged(order)).toEqual([])
  await say(order, { type: 'cancelled' })
  await ended(order.scanId)
  const keys = { name: 'Studio', type: 'S3', accessKey: '', privateKey: '', url: '' } as const
  const credential = await db.insertInto('bucketCredentials').values(keys).returning('id').executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ type: 'S3' }).where('id', '=', volumeId).execute()
  const bucket = { volumeId, name: 'films', region: 'eu-west-1', credentialId: credential.id }
  await db.insertInto('buckets').values(bucket).execute()
  await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  const ofBucket = await takeTask()
  await send(ofBucket, dots)
  expect(await staged(ofBucket)).toEqual([{ parent_path: '/a/../', name: 'b' }])
  await say(ofBucket, { type: 'cancelled' })
  await ended(ofBucket.scanId)
})
