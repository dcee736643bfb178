import { expect, test } from 'vitest'
import { type StorNextAnswer, StorNextQuestion, type StoredFile } from '#events/actions/storNext.ts'
import type { Entry } from '#events/entries.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'

const platform = await testPlatform()
const { db, clickhouse, nats } = platform
const routes = [...sourceRoutes(platform), ...actionRoutes(platform)]
const admin = await testSession(db, ['ROLE_ADMIN'])
const ask = asUser(createApp(platform, routes), admin)
const storagePrice = await testPriceBook(db)

let answer: StorNextAnswer = { failure: null, file: null }
const asked: StorNextQuestion[] = []
nats.connection.subscribe(subjects.storNext(1), {
  callback: (_, message) => {
    asked.push(StorNextQuestion.parse(message.json()))
    message.respond(JSON.stringify(answer))
  },
})

for (const name of ['films', 'other'])
  await ask('POST', '/api/volumeSettings', { name, path: `/mnt/${name}`, storagePrice }).expect(200)
await ask('POST', '/api/v1/storageManager/configs', { name: 'MDC', host: 'mdc1', username: 'ana', password: 'planted' })
const mapping = { volumeId: 1, storageManagerConfigId: 1, dataintellPath: '/mnt/films' }
await ask('POST', '/api/v1/storageManager/volumeMappings', { ...mapping, storageManagerPath: '/stornext/snfs1' })
for (const volumeId of [1, 2])
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [
    { path: '', entries: [{ path: '/reel', isDirectory: true, inode: 2 }] },
    { path: '/reel', entries: [{ path: '/reel/a.mov', inode: 3 }] },
  ])
const ids = await clickhouse.rows<{ volume: number; name: string; id: string }>(
  sql`SELECT volume, name, hex(file_id) AS id FROM entries WHERE name != ''`,
)
const read = (volume: number, name: string, more = '') => {
  const found = ids.find((entry) => entry.volume === volume && entry.name === name)
  return ask('GET', `/api/v1/storageManager/files/${found?.id}${more}`)
}

const onTape: StoredFile = {
  location: 'TAPE',
  isOnDisk: false,
  isOnTape: true,
  isSafe: true,
  policyClass: 'films',
  existingCopies: 2,
  targetCopies: 2,
  media: [
    { mediaId: 'A00012L8', copy: 1 },
    { mediaId: 'A00013L8', copy: 2 },
  ],
  checksums: [{ value: '9e107d9d', segment: 1, copy: 1 }],
  size: 10,
  stubSize: 4_096,
  modified: '',
  raw: {},
}

test('a file of a mapped storage has the data of StorNext, requested with its path there', async () => {
  answer = { failure: null, file: onTape }
  const { body } = await read(1, 'a.mov').expect(200)
  expect(body as Entry).toMatchObject({
    fullPath: '/mnt/films/reel/a.mov',
    metadata: {
      'StorNext Location': 'TAPE',
      'Policy Class': 'films',
      Copies: '2 of 2',
      Media: 'A00012L8 (copy 1), A00013L8 (copy 2)',
      'Safe on Tape': 'Yes',
      Checksums: '9e107d9d (copy 1, segment 1)',
      'Stub Size': '4,096 bytes',
    },
  })
  const connection = { host: 'mdc1', username: 'ana', password: 'planted' }
  expect(asked.splice(0)).toEqual([{ connection, path: '/stornext/snfs1/reel/a.mov' }])
  expect(JSON.stringify(body)).not.toContain('planted')
})

test('a file that StorNext does not know says so, without empty facts', async () => {
  answer = { failure: null, file: null }
  const { body } = await read(1, 'a.mov').expect(200)
  expect(body.metadata).toEqual({ 'StorNext Location': 'Not known to the Storage Manager' })
  answer = { failure: null, file: { ...onTape, policyClass: '', media: [], checksums: [] } }
  expect((await read(1, 'a.mov').expect(200)).body.metadata).not.toHaveProperty('Media')
})

test('StorNext gets no request about folders and other storages', async () => {
  asked.length = 0
  for (const answered of [read(1, 'reel'), read(2, 'a.mov')])
    expect((await answered.expect(200)).body.metadata).toEqual({})
  expect(asked).toEqual([])
})

test('the error of StorNext is passed on, and unknown files and dates are reported', async () => {
  answer = { failure: { message: 'The login was refused', debugMessage: 'FS0401' }, file: null }
  const { status, body } = await read(1, 'a.mov')
  expect([status, body]).toMatchObject([502, { message: 'The login was refused', debugMessage: 'FS0401' }])
  await read(1, 'a.mov', '?indexingDate=2026-01-01').expect(404)
  await ask('GET', '/api/v1/storageManager/files/12').expect(404)
  for (const wrong of ['0x12', '11111111111111111']) {
    const refused = await ask('GET', `/api/v1/storageManager/files/${wrong}`).expect(400)
    expect(refused.body.subErrors).toMatchObject([{ field: 'fileId' }])
  }
})

test('the call is for those who have the bundle', async () => {
  const unlicensed = { ...platform, config: { ...platform.config, bundles: [] } }
  const refused = await asUser(createApp(unlicensed, routes), admin)('GET', '/api/v1/storageManager/files/1')
  expect([refused.status, refused.body]).toEqual([
    403,
    { message: 'Unlock Quantum StorNext Integration', code: 'bundle' },
  ])
})
