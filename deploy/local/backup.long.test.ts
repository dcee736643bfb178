import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { makeTree } from './testing/tree.ts'
import { startLocalPostgres } from './stores/index.ts'
import { startProduct } from './testing.ts'
import { testBackup } from './testing/testBackup.ts'

const { tree, data, fresh, folder, at, call, run, scanned } = testBackup()

const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-CA')
/** Moves all scans one day back. */
async function asYesterday(): Promise<void> {
  const { url, leave } = await startLocalPostgres(data, () => {})
  const db = openPostgres(url)
  await db.updateTable('scans').set({ indexingDate: yesterday }).execute()
  await db.updateTable('snapshots').set({ indexingDate: yesterday }).execute()
  await db.destroy()
  await leave()
}

const ofSnapshots = [
  '/v1/dashboard?',
  '/v1/volumes?',
  '/v1/storages?',
  '/files/search?sort=path&size=1000',
  '/files/search/sizes?',
  '/files/search?onlyDuplicates=true&sort=path',
  '/files/search?tag=raw&sort=path',
  '/files/search?showOnlyDeletedFiles=true&sort=path',
  '/directories/search?sort=path&size=1000',
  '/v1/files/tags?',
]
const ofAll = [
  `/v1/comparisons/${yesterday}`,
  '/administration/dates',
  '/volumeSettings',
  '/v1/jobs',
  '/v1/schedules',
  '/configurations',
  '/servers',
]

async function answers() {
  const all: Record<string, unknown> = {}
  for (const path of ofAll) all[path] = await call('GET', path)
  for (const path of ofSnapshots)
    for (const day of ['', `&indexingDate=${yesterday}`]) all[path + day] = await call('GET', path + day)
  return all
}

test('a product is backed up while it runs, and its backup answers the same in a fresh data folder', async () => {
  makeTree(tree, 2_000)
  for (const name of ['one', 'two', 'gone']) writeFileSync(join(tree, name), 'the same')
  at.product = await startProduct(data, { folder: tree })
  await scanned()
  await asYesterday()
  renameSync(join(tree, 'gone'), join(tree, 'moved \t " \\ Ü'))
  mkdirSync(join(tree, 'new'))
  await call('PUT', '/v1/files/tags', { entries: [{ volumeId: 1, path: '/one', isDirectory: false }], add: ['raw'] })
  await call('POST', '/v1/scans/volumes/ids', [1])
  await scanned()
  await call('PUT', '/v1/files/tags', { entries: [{ volumeId: 1, path: '/two', isDirectory: false }], add: ['raw'] })
  await call('PUT', '/configurations', [{ name: 'spring.mail.password', value: 'sealed' }])
  const nightly = { name: 'nightly', cron: '0 0 3 * * ?', jobGroup: 'SCANNER', jobClass: 'SCAN_ALL_VOLUMES' }
  await call('POST', '/v1/schedules', { ...nightly, paused: false, payload: { cloneIndex: true } })
  const before = await answers()

  const backup = await run('backup', data, 'a backup')
  expect(backup).toMatchObject({ code: 0, printed: expect.stringContaining('is not part of it') })
  expect(await answers()).toEqual(before)
  expect(await run('backup', data, folder)).toMatchObject({ code: 1, printed: expect.stringContaining('not empty') })
  const busy = await run('restore', data, folder)
  expect(busy).toMatchObject({ code: 1, printed: expect.stringContaining('runs on') })
  await at.product.stop()

  const refused = await run('restore', data, folder)
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('There is already data here') })
  const restore = await run('restore', fresh, folder, '--unverified')
  expect(restore).toMatchObject({ code: 0, printed: expect.stringContaining('Its secrets open with the key') })
  cpSync(join(data, 'keys/secret.key'), join(fresh, 'keys/secret.key'))
  at.product = await startProduct(fresh)
  expect(await answers()).toEqual(before)
  await call('POST', '/v1/scans/volumes/ids', [1])
  await scanned()
  await at.product.stop()
  const replay = await run('replay', fresh, '--check')
  expect(replay).toMatchObject({ code: 0, printed: expect.stringContaining(' 0 differences') })
  const again = await run('backup', fresh, 'another backup')
  expect(again).toMatchObject({ code: 0, printed: expect.stringContaining('another backup') })
})
