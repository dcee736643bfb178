import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readManifest } from '#server/upkeep/backups/manifest.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { testDatabaseUrl, testDb, testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { writeBackup } from '#server/upkeep/backups/index.ts'
import { runProgram } from './testing.ts'

const scratch = testFolder('moved')
const secretKey = 'a key that all deployments of this test have'
const key = { DATAINTELL_SECRET_KEY: secretKey }

/** Runs a command of the product, in the same way as npm. */
function run(command: 'backup' | 'restore', folder: string, environment: NodeJS.ProcessEnv) {
  const { DATABASE_URL: _, CLICKHOUSE_URL: __, NATS_URL: ___, ...others } = process.env
  return runProgram(command, [folder], { ...others, ...key, INIT_CWD: scratch, ...environment })
}

async function externalStores(name: string) {
  const db = await testDb()
  await sql`CREATE DATABASE ${sql.id(name)}`.execute(db)
  atEndOfFile(async () => void (await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(db)))
  const DATABASE_URL = Object.assign(new URL(await testDatabaseUrl()), { pathname: name }).href
  const { url: CLICKHOUSE_URL } = await startBridge(testFolder('chdb'))
  return { DATABASE_URL, CLICKHOUSE_URL, DATAINTELL_DATA: join(scratch, `${name}-data`) }
}

/** Contents of a backup, without the events that a backup and a restore record. */
async function contentsOf(folder: string) {
  const { files } = (await readManifest(join(scratch, folder))).manifest
  return files
    .filter(({ table }) => !['events', 'product', 'streams'].includes(table))
    .map(({ path, rows, columns }) => ({ path, rows, columns }))
    .toSorted((a, b) => a.path.localeCompare(b.path))
}

test('a backup moves a product from embedded stores to external ones, and back', async () => {
  const platform = await testPlatform()
  const volumeId = await newVolume(platform, 'Films')
  const entries = Array.from({ length: 300 }, (_, i) => ({ path: `/${i}.mov`, size: i }))
  for (const indexingDate of ['2026-01-01', '2026-01-02'])
    await scanFolders(platform, { volumeId, indexingDate }, [
      { path: '', entries: entries.slice(indexingDate.endsWith('2') ? 20 : 0) },
    ])
  const source = { ...platform, config: { ...platform.config, secretKey }, databaseUrl: await testDatabaseUrl() }
  await writeBackup(source, { folder: join(scratch, 'embedded') }, () => {})
  const before = await contentsOf('embedded')
  expect(before.find(({ path }) => path === `clickhouse/entries-${volumeId}.zst`)?.rows).toBe(281)

  const external = await externalStores('moved')
  expect(await run('restore', 'embedded', external)).toMatchObject({ code: 0 })
  expect(await run('backup', 'external', external)).toMatchObject({ code: 0 })
  expect(await contentsOf('external')).toEqual(before)

  const embedded = { DATAINTELL_DATA: join(scratch, 'data') }
  expect(await run('restore', 'external', embedded)).toMatchObject({ code: 0 })
  expect(await run('backup', 'embedded again', embedded)).toMatchObject({ code: 0 })
  expect(await contentsOf('embedded again')).toEqual(before)
})
