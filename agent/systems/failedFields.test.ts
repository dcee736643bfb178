import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { probeFolder } from '../probeFolder.ts'
import { listBuckets } from '../requestHandlers.ts'
import { openSystems } from './index.ts'
import { shareOf, useNotingMount } from './network-mount/testing.ts'
import { cluster, orderOf } from './power-scale/testing.ts'
import { objectsOf, startSimulator } from './s3/simulator/index.ts'

afterEach(() => vi.unstubAllEnvs())

const nfs = { type: 'NFS', shareName: '/media' } as const
test.each<[string, Partial<ShareMount>, string | null]>([
  ['mount error: could not resolve address for nas', {}, 'host'],
  ['mount error(111): Connection refused', {}, 'host'],
  ['mount error(13): Permission denied', {}, 'credentials'],
  ['mount error(13): Permission denied', { credential: null }, 'credentials'],
  ['mount.nfs: access denied by server while mounting nas:/media', nfs, 'shareName'],
  ['mount error(2): No such file or directory', {}, 'shareName'],
  ['mount error(22): Invalid argument', { options: 'vers=9' }, 'options'],
  ['mount error(19): No such device', {}, null],
])('%j of a share with %j is a problem of the input %s', async (stderr, changes, field) => {
  useNotingMount(`echo '${stderr}' >&2; exit 32`)
  const systems = await openSystems(testFolder('state'), pino({ level: 'silent' }))
  const request = { kind: 'networkShare', mount: shareOf(changes), path: '/' }
  expect((await probeFolder(JSON.stringify(request), systems)).field).toBe(field)
})

test('a folder that is not there is a problem of the path', async () => {
  const systems = await openSystems(testFolder('state'), pino({ level: 'silent' }))
  const look = await probeFolder(JSON.stringify({ kind: 'fileStorage', path: '/nothing/here' }), systems)
  expect(look).toMatchObject({ reason: expect.stringContaining('/nothing/here'), field: 'path' })
})

test('a store says which input of its bucket is wrong', async () => {
  const account = { accessKey: 'AKIA11', secretKey: 'secret/11=' }
  const store = await startSimulator({ accounts: [account], buckets: { films: { objects: objectsOf([]) } } })
  const plain = { type: 'OTHER', region: '', namespace: '', endpoint: store.url, bucket: 'films', ...account }
  const answerTo = (type: 'names' | 'access', changes: object = {}) =>
    listBuckets(JSON.stringify({ type, store: { ...plain, ...changes } }))
  expect(await answerTo('access')).toMatchObject({ reason: null, field: null })
  expect(await answerTo('names', { accessKey: 'AKIA99' })).toMatchObject({ field: 'credentials', isDenied: false })
  expect(await answerTo('names', { secretKey: 'other' })).toMatchObject({ field: 'credentials' })
  expect(await answerTo('access', { bucket: 'rushes' })).toMatchObject({ field: 'name' })
  expect(await answerTo('names', { endpoint: 'http://127.0.0.1:9' })).toMatchObject({ field: 'host' })
  await store.close()
})

test('a cluster says which input is wrong, and a try leaves no snapshot', async () => {
  const simulator = await cluster()
  const systems = await openSystems(testFolder('state'), pino({ level: 'silent' }))
  const answerTo = (changes: object = {}) => probeFolder(JSON.stringify(orderOf(simulator, changes)), systems)
  expect(await answerTo()).toMatchObject({ reason: null, field: null })
  expect(await answerTo({ password: 'other' })).toMatchObject({ field: 'credentials' })
  expect(await answerTo({ path: '/ifs/nothing' })).toMatchObject({
    reason: expect.stringContaining("can't list /ifs/nothing: it does not exist"),
    field: 'path',
  })
  expect(await answerTo({ host: '127.0.0.1:9' })).toMatchObject({ field: 'host' })
  expect(await answerTo({ fingerprint: undefined })).toMatchObject({ field: 'certificateFingerprint' })
  expect(simulator.snapshots.all()).toHaveLength(0)
})
