import { expect, test } from 'vitest'
import { ScanFailed } from '../system.ts'
import { systemsWith } from '../index.ts'
import type { Mounts } from '../network-mount/index.ts'
import { countedObjects } from './simulator/index.ts'
import { atOnce, forever } from '../testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { account, openMedia, simulator } from './testing.ts'

const odd = ['a b+c/100%.mov', 'ü/日本', '<&>"\'', 'tab\tline\n', '/first', 'a//b']
const hidden = {
  old: Array.from({ length: 2_500 }, (_, i) => ({ key: odd[i % odd.length] as string, size: i })),
  deleteMarkers: Array.from({ length: 1_200 }, (_, i) => `${odd[i % odd.length]}${i}`),
  uploads: [
    ...Array.from({ length: 1_100 }, (_, i) => ({
      key: odd[i % odd.length] as string,
      parts: i % 50 === 0 ? [i, 7] : [],
    })),
    { key: 'long', parts: Array.from({ length: 2_300 }, () => 5) },
  ],
}
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
const versions = {
  noncurrent: { count: 2_500, bytes: sum(hidden.old.map(({ size }) => size)) },
  deleteMarkers: 1_200,
  incomplete: { count: 1_101, bytes: sum(hidden.uploads.flatMap(({ parts }) => parts)) },
}
const buckets = { media: { objects: countedObjects(1_500), hidden } }

test('old versions, delete markers and unfinished uploads are counted exactly, with any keys', async () => {
  const store = await simulator({ buckets, behaviour: { busy: 3, busyHeaders: { 'retry-after': '0' } } })
  expect(await openMedia(store).versions(atOnce)).toEqual({ versions })
  expect(store.behaviour.busy).toBe(0)
})

test('where the credentials may not list versions, the counting says so and the bucket can still be listed', async () => {
  const store = await simulator({ buckets, accounts: [{ ...account, mayListVersions: false }] })
  const media = openMedia(store)
  await media.check(forever)
  expect(await media.versions(atOnce)).toEqual({
    versionsFailure: 'These credentials have no right to list the versions in the bucket media (s3:ListBucketVersions)',
  })
})

test('a counting that is cancelled ends with the reason of that', async () => {
  const store = await simulator({ buckets, behaviour: { pageMs: 20 } })
  const ended = new AbortController()
  const counted = openMedia(store).versions({ ...atOnce, signal: ended.signal })
  ended.abort(new ScanFailed('It was cancelled'))
  await expect(counted).rejects.toThrow('It was cancelled')
})

test('versions are only requested for a bucket that counts them', async () => {
  const { url } = await simulator({ buckets })
  const place = { type: 'OTHER' as const, region: '', namespace: '', bucket: 'media' }
  const store = { ...place, endpoint: url, accessKey: account.accessKey, secretKey: account.secretKey }
  const systems = systemsWith({} as Mounts, testFolder('state'))
  const opened = (more: object) =>
    systems.open({ volumeId: 1, source: { kind: 'bucket', store: { ...store, ...more } } }, forever)
  const [usual, counting] = [await opened({}), await opened({ countsVersions: true })]
  expect(await usual.versions?.(atOnce.run)).toBe(undefined)
  expect(await counting.versions?.(atOnce.run)).toEqual({ versions })
  await Promise.all([usual.close(), counting.close()])
})
