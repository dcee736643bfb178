import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { notifiableTypes } from './notifiableTypes.ts'

const db = await testDb()
const config = readConfig({ DATAINTELL_DATA: testFolder('data') })
const by = { id: 0, roles: [], scope: 'everything' } as const

test('a new product offers what it can do without any other system, scans of file storages first', async () => {
  expect(await notifiableTypes({ db, config }, by)).toEqual([
    'SCAN_ON_PREMISES',
    'TAG_SEARCH_RESULT',
    'COMPARE_FILES',
    'COMPARE_SEARCH_RESULT',
    'READ_MEDIA_FILES',
    'READ_MEDIA_SEARCH_RESULT',
    'GENERATE_REPORT',
  ])
})

test('a kind of storage and a system add their types, if the system is licensed', async () => {
  await db.insertInto('volumes').values({ name: 'Cloud', path: 's3://films', type: 'S3' }).execute()
  await db.insertInto('configurations').values({ name: 'iconikAppId', value: 'abc' }).execute()
  expect(await notifiableTypes({ db, config }, by)).toEqual([
    'SCAN_ON_PREMISES',
    'SCAN_CLOUD',
    'TAG_SEARCH_RESULT',
    'ICONIK_UPLOAD',
    'ICONIK_UPLOAD_SEARCH_RESULT',
    'COMPARE_FILES',
    'COMPARE_SEARCH_RESULT',
    'READ_MEDIA_FILES',
    'READ_MEDIA_SEARCH_RESULT',
    'GENERATE_REPORT',
  ])
  expect(await notifiableTypes({ db, config: { ...config, bundles: [] } }, by)).not.toContain('ICONIK_UPLOAD')
})
