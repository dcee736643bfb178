import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '#server/upkeep/backups/manifest.ts'
import { makeTree } from './testing/tree.ts'
import { startProduct } from './testing.ts'
import { testBackup } from './testing/testBackup.ts'

const { scratch, tree, data, fresh, folder, at, call, run, scanned } = testBackup()

/** Number of rows of each table in a backup, without tables to which a running product adds rows. */
async function rowsIn(folder: string) {
  const { files } = (await readManifest(folder)).manifest
  const compared = files.filter(({ store, table }) => store === 'clickhouse' || settled.includes(table))
  return compared.map(({ store, table, rows }) => `${store} ${table}: ${rows}`)
}
const settled = ['configurations', 'jobs', 'scans', 'snapshots', 'tasks', 'users', 'volumes']

test('a product is backed up while it runs, and a backup of the restored product has the same rows', async () => {
  makeTree(tree, 50)
  writeFileSync(join(tree, 'one'), 'a file')
  at.product = await startProduct(data, { folder: tree })
  await scanned()
  await call('PUT', '/v1/files/tags', { entries: [{ volumeId: 1, path: '/one', isDirectory: false }], add: ['raw'] })
  await call('PUT', '/configurations', [{ name: 'spring.mail.password', value: 'sealed' }])
  const before = await call('GET', '/v1/jobs')

  const backup = await run('backup', data, 'a backup')
  expect(backup).toMatchObject({ code: 0, printed: expect.stringContaining('is not part of it') })
  expect(await call('GET', '/v1/jobs')).toEqual(before)
  const busy = await run('restore', data, folder)
  expect(busy).toMatchObject({ code: 1, printed: expect.stringContaining('runs on') })
  await at.product.stop()

  const keyless = await run('restore', fresh, folder)
  expect(keyless).toMatchObject({ code: 1, printed: expect.stringContaining('its key is not here') })
  mkdirSync(join(fresh, 'keys'), { recursive: true, mode: 0o700 })
  cpSync(join(data, 'keys/secret.key'), join(fresh, 'keys/secret.key'))
  const restore = await run('restore', fresh, folder)
  expect(restore).toMatchObject({ code: 0, printed: expect.stringContaining('Start the product and sign in') })
  const replay = await run('replay', fresh, '--check')
  expect(replay).toMatchObject({ code: 0, printed: expect.stringContaining(' 0 differences') })
  const again = await run('backup', fresh, 'another backup', '--encrypt')
  expect(again).toMatchObject({ code: 0, printed: expect.stringContaining('It is encrypted with that key') })
  expect(await rowsIn(join(scratch, 'another backup'))).toEqual(await rowsIn(folder))
})
