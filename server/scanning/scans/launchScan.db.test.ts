import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { scanRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, scanRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))

const jobs = async () => db.selectFrom('jobs').select(['id', 'type', 'payload']).orderBy('id').execute()

test('a scan of folders is limited to them, and its job tells so', async () => {
  const [whole, part] = [
    await createFileStorage(db, { name: 'A', path: '/a' }),
    await createFileStorage(db, { name: 'B', path: '/b' }),
  ]
  const scan = (storageIdToPath: object) => ask('POST', '/api/v1/scans/storages?cloneIndex=false', { storageIdToPath })
  const { jobId } = (await scan({ [whole]: '/', [part]: '//films/' }).expect(200)).body
  const payload = { volumes: [whole, part], storageIdToPath: { [part]: '/films' }, cloneIndex: false }
  expect((await jobs()).at(-1)).toMatchObject({ id: jobId, payload })
  const scans = await db.selectFrom('scans').select(['volumeId', 'scannedPath', 'cloneIndex']).orderBy('id').execute()
  expect(scans.slice(-2)).toEqual([
    { volumeId: whole, scannedPath: '', cloneIndex: false },
    { volumeId: part, scannedPath: '/films', cloneIndex: false },
  ])
  for (const wrong of [{}, { [part]: '/../etc' }, { [part]: 'films' }, { x: '/films' }])
    expect((await scan(wrong)).status).toBe(400)
  expect((await scan({ 9999: '/films' })).status).toBe(404)
})

test.each(['archiwares', 'powerScales'])('a scan of %s knows those that are set up', async (kind) => {
  const before = await jobs()
  expect((await ask('POST', `/api/v1/scans/${kind}/ids?cloneIndex=true&isDeltaScan=false`, [1])).status).toBe(404)
  expect((await ask('POST', `/api/v1/scans/${kind}/ids`, [])).status).toBe(400)
  expect(await jobs()).toEqual(before)
})
