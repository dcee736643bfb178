import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql as postgres } from 'kysely'
import { expect, test } from 'vitest'
import { TagPayload } from '#events/jobs/payloads.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { changeJob, findJob, startTask } from '#server/workers/jobs/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { migrateClickHouse, migratePostgres } from '#server/platform/migrate.ts'
import { type Db, openConnection, openPostgres } from '#server/platform/postgres/postgres.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testDatabaseUrl, testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { comparisonOf } from '#server/scanning/scans/comparisonOf.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import {
  assignSelection,
  findSelection,
  freezeSelection,
  pageOfSelection,
  selectionsOfJob,
} from '#server/questions/selections/index.ts'
import { dropReplacedGenerations } from '#server/content/snapshots/commit/leftovers.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { nextVersion } from '#server/content/snapshots/duplicates/duplicatesOfScans.ts'
import { withClearingLockIfFree } from '#server/content/snapshots/locks.ts'
import { newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { keptTables } from './clickhouseRows.ts'
import { readBackup, refuseUnfinishedRestore, restoreBackup, UnfitBackup, writeBackup } from './index.ts'
import { beginLoading } from './loadClickHouse.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { readSequences } from './postgresTables.ts'
import { savePostgres } from './savePostgres.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

const platform = await testPlatform()
const { db, clickhouse, config } = platform
const databaseUrl = await testDatabaseUrl()
const urlOf = (name: string) => Object.assign(new URL(databaseUrl), { pathname: name }).href
const source = { config, db, clickhouse, databaseUrl }
const folder = join(testFolder('backups'), 'first')
const quiet = () => {}

const [films, shows] = [await newVolume(platform, 'Films'), await newVolume(platform, 'Shows')]
const files: File[] = [{ path: "/o'hara \\ 100%.mov" }, { path: '/tab\tline\n.mov', inode: 9 }, { path: '/Ü.mov' }]
const scan = (volumeId: number, indexingDate: string, entries: File[]) =>
  scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
await scan(films, '2026-01-01', files)
await scan(shows, '2026-01-01', files)
await scan(films, '2026-01-02', [
  { path: '/moved.mov', inode: 9 },
  { path: '/Ü.mov', size: 7 },
])
await clickhouse.command(sql`
  INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
  VALUES ('raw', ${films}, '/', 'moved.mov', false, '2026-01-02', '2149-06-06', 2)`)
const digests = { baseline: 'as agents call them' }
await postgres`UPDATE scans SET announced = ${JSON.stringify(digests)} WHERE state = 'done'`.execute(db)
const days = ['2026-01-01', '2026-01-02']

/** Stores without tables, of another kind: a ClickHouse over HTTP. */
async function emptyStores(name: string) {
  await postgres`CREATE DATABASE ${postgres.id(name)}`.execute(db)
  const target = openPostgres(urlOf(name))
  const engine = await openClickHouse((await startBridge(testFolder('chdb'))).url)
  atEndOfFile(async () => {
    await engine.close()
    await target.destroy()
    await postgres`DROP DATABASE ${postgres.id(name)} WITH (FORCE)`.execute(db)
  })
  return { databaseUrl: urlOf(name), db: target, clickhouse: engine }
}

/** Everything each date shows, and the history and tags of entries. */
async function shown(stores: { db: Db; clickhouse: ClickHouse }) {
  const ask = (question: ReturnType<typeof sql>) => stores.clickhouse.rows(question)
  const dates = []
  for (const day of days) {
    const snapshot = await snapshotAt(stores.db, 'everything', day)
    if (!snapshot) throw new Error(`There is nothing on ${day}`)
    dates.push(snapshot.indexingDate, snapshot.duplicatesVersions)
    dates.push(await ask(sql`SELECT * FROM ${entriesAt(snapshot)} ORDER BY volume, parent_path, name, is_directory`))
  }
  const ended = await ask(sql`SELECT * FROM entry_history ORDER BY volume, parent_path, name, to_scan`)
  const statistics = await ask(sql`SELECT * FROM volume_statistics ORDER BY ALL`)
  return { dates, ended, statistics, tags: await ask(sql`SELECT * FROM entry_tags FINAL ORDER BY ALL`) }
}

const before = await shown(source)
const jobId = await queueScans(db, { ids: [shows], cloneIndex: true, by: system })
const { id: taskId } = await db.selectFrom('tasks').select('id').where('jobId', '=', jobId).executeTakeFirstOrThrow()
const at = new Date().toISOString()
await db.transaction().execute((trx) => changeJob(trx, jobId, system, (job) => startTask(job, taskId, 1, at)))
const tagging = await queueTagging(
  { db },
  TagPayload.parse({ tags: ['x'], remove: false, isDirectory: false, filters: {} }),
  system,
)
const everything = { filters: SearchFilters.parse({}), isDirectory: false }
const freeze = () => freezeSelection(source, { selection: everything, by: system, scope: 'everything' })
const [used, unused] = [await freeze(), await freeze()]
await db.transaction().execute((trx) => assignSelection(trx, used.id, tagging))
const ana = await db.insertInto('users').values({ name: 'ana', roles: [] }).returning('id').executeTakeFirstOrThrow()
await openSession(db, ana.id, '127.0.0.1')
const siem = { name: 'SIEM', kind: 'OTLP', address: '', access: '', position: 0, batch: 'sent half' } as const
await db
  .insertInto('eventDestinations')
  .values({ ...siem, topics: postgres<[]>`'{JOBS}'` })
  .execute()
await postgres`INSERT INTO policies (name, search, untouched_days, action, limits, needs_second_person, paused, created_by, author_id, trusted) VALUES ('Old', '{}', 1, '{}', '{}', false, false, '', 1, true)`.execute(
  db,
)
await postgres`INSERT INTO imports (id, volume_id, indexing_date, format, created_by, state) VALUES (77, ${films}, '2025-01-01', 'du', '', 'READY')`.execute(
  db,
)

test('a backup whose server died is replaced by the next one to its folder, and nothing else is', async () => {
  const again = join(testFolder('again'), 'backup')
  mkdirSync(join(again, 'postgres'), { recursive: true })
  writeFileSync(join(again, 'unfinished'), '')
  writeFileSync(join(again, 'postgres/users.zst'), 'half')
  await writeBackup(source, { folder: again }, quiet)
  expect(readdirSync(again).sort()).toEqual(['clickhouse', 'manifest.json', 'postgres'])
  await expect(writeBackup(source, { folder: again }, quiet)).rejects.toThrow('is not empty')
  const other = testFolder('other')
  for (const name of ['unfinished', 'my photos']) writeFileSync(join(other, name), '')
  await expect(writeBackup(source, { folder: other }, quiet)).rejects.toThrow('is not empty')
  expect(readdirSync(other)).toEqual(['my photos', 'unfinished'])
})

test('a backup is of one moment, though a scan ends and the old generation is to be removed meanwhile', async () => {
  const disturbed: ClickHouse = {
    ...clickhouse,
    async save(question, format, path, options) {
      if (path.endsWith(`entries-${films}.zst`)) {
        await scan(films, '2026-01-02', [{ path: '/later.mov' }])
        await withClearingLockIfFree(db, () => dropReplacedGenerations(platform, -1_000))
      }
      return clickhouse.save(question, format, path, options)
    },
  }
  const manifest = await writeBackup({ ...source, clickhouse: disturbed }, { folder }, quiet)
  expect(manifest.files.find(({ table }) => table === 'entries')?.rows).toBe(3)
  expect(await shown(source)).not.toEqual(before)
  await withClearingLockIfFree(db, () => dropReplacedGenerations(platform, -1_000))
  expect(await db.selectFrom('replacedGenerations').selectAll().execute()).toEqual([])
})

test('a backup answers in other stores as the product did, and what was under way is ended', async () => {
  const target = await emptyStores('restored')
  const backup = await readBackup(folder, config, quiet)
  await restoreBackup(target, backup, quiet)
  await migratePostgres(target.db)
  await migrateClickHouse(target.clickhouse, target.db)
  await refuseUnfinishedRestore(target.db, target.clickhouse)
  expect(await shown(target)).toEqual(before)
  // Agents remember the other product only.
  expect(await comparisonOf(db, { volumeId: shows, mustBeFull: false, scannedPath: '' }, 'walk')).toMatchObject(digests)
  for (const volumeId of [films, shows])
    expect(await comparisonOf(target.db, { volumeId, mustBeFull: false, scannedPath: '' }, 'walk')).toBeUndefined()
  expect(backup.manifest.product).toBe(await readProductId(db))
  expect(await readProductId(target.db)).not.toBe(backup.manifest.product)
  const reason = `The product was restored from a backup of ${backup.manifest.at}`
  for (const id of [jobId, tagging])
    expect(await findJob(target.db, id)).toMatchObject({
      status: 'FAILURE',
      tasks: [{ status: 'FAILURE', result: { reason } }],
    })
  expect(await target.db.selectFrom('policies').select('trusted').execute()).toEqual([{ trusted: false }])
  const ended = { state: 'FAILED', reason: `${reason}. Import the file again.` }
  expect(await target.db.selectFrom('imports').select(['state', 'reason']).execute()).toEqual([ended])
  const open = target.db.selectFrom('scans').select(['state', 'reason']).where('taskId', '=', taskId)
  expect(await open.execute()).toEqual([{ state: 'failed', reason }])
  expect(await selectionsOfJob(target.db, tagging)).toEqual([{ ...used, usedBy: tagging }])
  const row = { position: 1, volumeId: films }
  expect((await pageOfSelection(target.clickhouse, used.id, { size: 1 })).rows).toMatchObject([row])
  expect(await findSelection(target.db, unused.id)).toBeUndefined()
  expect((await pageOfSelection(target.clickhouse, unused.id, { size: 1 })).rows).toEqual([])
  const lostReason = `${reason}. They may have been sent since then.`
  const destinations = target.db.selectFrom('eventDestinations').select(['batch', 'lostReason'])
  expect(await destinations.where('position', '>', 0).execute()).toEqual([{ batch: null, lostReason }])
  expect(await target.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  const next = await target.db.insertInto('users').values({ name: 'bob', roles: [] }).returning('id').execute()
  expect(next[0]?.id).toBeGreaterThan(ana.id)
  await expect(restoreBackup(target, backup, quiet)).rejects.toThrow('There is already data here')
})

test('a restore that was cut short leaves nothing that begins to work, and is done again', async () => {
  const target = await emptyStores('cut_short')
  await beginLoading(target.clickhouse)
  await target.clickhouse.command(sql`CREATE TABLE entries (half UInt8) ENGINE = MergeTree ORDER BY half`)
  await expect(refuseUnfinishedRestore(target.db, target.clickhouse)).rejects.toThrow('interrupted')
  const backup = await readBackup(folder, config, quiet)
  const fails = { ...backup, manifest: { ...backup.manifest, sequences: [{ name: 'unknown', last: 1 }] } }
  await expect(restoreBackup(target, fails, quiet)).rejects.toThrow('unknown')
  expect(await target.clickhouse.rows(sql`SHOW TABLES`)).toEqual([])
  await restoreBackup(target, backup, quiet)
  expect(await shown(target)).toEqual(before)
})

test('a damaged, incomplete or newer backup is refused before anything is written', async () => {
  const copy = join(testFolder('copies'), 'copy')
  const fresh = () => {
    rmSync(copy, { recursive: true, force: true })
    cpSync(folder, copy, { recursive: true })
  }
  const refused = async (message: string) => {
    const reading = readBackup(copy, config, quiet)
    await expect(reading).rejects.toThrow(message)
    await expect(reading).rejects.toBeInstanceOf(UnfitBackup)
  }
  fresh()
  appendFileSync(join(copy, 'postgres/events.zst'), 'x')
  await refused('postgres/events.zst has changed since it was written')
  rmSync(join(copy, 'postgres/events.zst'))
  await refused('postgres/events.zst has changed since it was written')
  fresh()
  const file = join(copy, 'manifest.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"rows": 3', '"rows": 4'))
  await refused('manifest.json has changed since it was written')
  rmSync(file)
  await refused('no complete backup')
  const { manifest } = await readManifest(folder)
  const later = { store: 'postgres', name: '9001_later.sql', checksum: 'x' } as const
  await writeManifest(copy, config, { ...manifest, migrations: [...manifest.migrations, later] })
  await refused('newer version of the product: its postgres migration 9001_later.sql')
})

/** A backup as the product wrote it with the migrations before this one; without data of ClickHouse. */
async function writtenBefore(migration: string, fillStores: (stores: { db: Db }) => Promise<void>): Promise<string> {
  const older = await emptyStores('older')
  await migratePostgres(older.db, migrationsBefore('postgres', migration))
  // Later ones need a newer Postgres.
  await migrateClickHouse(older.clickhouse, older.db, migrationsBefore('clickhouse', '0019'))
  await fillStores(older)
  const ofThen = join(testFolder('backups'), 'older')
  for (const store of ['postgres', 'clickhouse']) mkdirSync(join(ofThen, store), { recursive: true })
  const connection = await openConnection(older.databaseUrl)
  await writeManifest(ofThen, config, {
    ...(await readManifest(folder)).manifest,
    migrations: await older.db.selectFrom('migrations').select(['store', 'name', 'checksum']).orderBy('name').execute(),
    files: await savePostgres(connection, ofThen, undefined),
    sequences: await readSequences(older.db),
  })
  await connection.close()
  return ofThen
}

/** A folder with the migrations of a store before this one. */
function migrationsBefore(store: 'postgres' | 'clickhouse', migration: string): string {
  const all = join(import.meta.dirname, '../../../migrations', store)
  const before = testFolder('migrations')
  for (const name of readdirSync(all)) if (name < migration) cpSync(join(all, name), join(before, name))
  return before
}

test('a backup of an older version is brought up to date', async () => {
  const ofThen = await writtenBefore('0017', async (older) => {
    await older.db.insertInto('users').values({ name: 'ana', roles: [] }).execute()
    const films = older.db.insertInto('volumes').values({ name: 'Films', path: '/Films' }).returning('id')
    const { id: volume } = await films.executeTakeFirstOrThrow()
    const committedScan = await newScan(older, { volumeId: volume, indexingDate: '2026-01-01' })
    await older.db.updateTable('volumes').set({ committedScan }).where('id', '=', volume).execute()
    await postgres`UPDATE duplicates_version SET version = 3, volumes = ${[volume]}`.execute(older.db)
  })
  const target = await emptyStores('newer')
  await restoreBackup(target, await readBackup(ofThen, config, quiet), quiet)
  const applied = target.db.selectFrom('migrations').select('name').where('store', '=', 'postgres').orderBy('name')
  const names = readdirSync(join(import.meta.dirname, '../../../migrations/postgres')).sort()
  expect((await applied.execute()).map(({ name }) => name)).toEqual(names)
  expect(await target.db.selectFrom('users').select('name').execute()).toEqual([{ name: 'ana' }])
  const known = await target.db.selectFrom('duplicatesOfScans').select(['scans', 'versions']).execute()
  // Copies are counted again with the rules of this version.
  expect(known).toEqual([])
  expect(await nextVersion(target.db)).toBe(4)
})

test('a backup that fails leaves an empty folder', async () => {
  const broken = { ...clickhouse, save: () => Promise.reject(new Error('the disk is full')) }
  const other = join(testFolder('backups'), 'broken')
  await expect(writeBackup({ ...source, clickhouse: broken }, { folder: other }, quiet)).rejects.toThrow(
    'the disk is full',
  )
  await writeBackup(source, { folder: other }, quiet)
})

test('every table of ClickHouse is in it, except those of rows that ended, live changes and health checks', async () => {
  const isLeftOut = (name: string) => /_\d+$|^(health_checks|ended_rows|live_changes)$/.test(name)
  expect((await clickhouse.tables()).filter((name) => !isLeftOut(name)).sort()).toEqual([...keptTables].sort())
})
