import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { hasTables, migrateClickHouse, migratePostgres, unknownMigrations } from './migrate.ts'
import { sql as clickHouseSql } from './clickhouse/sql.ts'
import { testClickHouse, testDb, testFolder } from './testing/stores.ts'
import { openPostgres } from './postgres/postgres.ts'

const db = await testDb()
const clickhouse = await testClickHouse()

/** A folder with the product's migrations followed by these, numbered from 9001. */
const folderOf = (...texts: string[]) => folderFor('postgres', ...texts)
function folderFor(store: 'postgres' | 'clickhouse', ...texts: string[]): string {
  const folder = testFolder('migrations')
  cpSync(join(import.meta.dirname, '../../migrations', store), folder, { recursive: true })
  texts.forEach((text, i) => writeFileSync(join(folder, `900${i + 1}_step.sql`), text))
  return folder
}

const applied = async () =>
  (await db.selectFrom('migrations').select('name').where('name', 'like', '9%').orderBy('name').execute()).length

test('each file is applied once, in order, also when several servers start together', async () => {
  const folder = folderOf('CREATE TABLE one (a int);', 'INSERT INTO one VALUES (1); INSERT INTO one VALUES (2);')
  await Promise.all([migratePostgres(db, folder), migratePostgres(db, folder), migratePostgres(db, folder)])
  const { rows } = await sql<{ a: number }>`SELECT a FROM one ORDER BY a`.execute(db)
  expect(rows).toEqual([{ a: 1 }, { a: 2 }])
  expect(await applied()).toBe(2)
  await sql`DROP TABLE one`.execute(db)
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('a file that fails leaves nothing of itself, says which it is, and those before it stay', async () => {
  const folder = folderOf('CREATE TABLE first (a int);', 'CREATE TABLE second (a int); SELECT nonsense;')
  await expect(migratePostgres(db, folder)).rejects.toThrow('9002_step.sql failed: column "nonsense" does not exist')
  const { rows } = await sql<{ first: string; second: string }>`
    SELECT to_regclass('first')::text AS first, to_regclass('second')::text AS second`.execute(db)
  expect(rows).toEqual([{ first: 'first', second: null }])
  writeFileSync(join(folder, '9002_step.sql'), 'CREATE TABLE second (a int);')
  await migratePostgres(db, folder)
  expect(await applied()).toBe(2)
  await sql`DROP TABLE first, second`.execute(db)
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('a file that was changed after it was applied is an error that names it', async () => {
  const folder = folderOf('CREATE TABLE one (a int);')
  await migratePostgres(db, folder)
  writeFileSync(join(folder, '9001_step.sql'), 'CREATE TABLE one (b int);')
  await expect(migratePostgres(db, folder)).rejects.toThrow('postgres migration 9001_step.sql was changed')
  await sql`DROP TABLE one`.execute(db)
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('a version that does not know what was applied refuses to start, names it, and changes nothing', async () => {
  const newer = folderOf('CREATE TABLE one (a int);', 'CREATE TABLE two (a int);')
  await migratePostgres(db, newer)
  const older = folderOf('CREATE TABLE one (a int);')
  await expect(migratePostgres(db, older)).rejects.toThrow(
    'The data was written by a newer version of the product: its postgres migration 9002_step.sql is unknown here. Start that version',
  )
  rmSync(join(older, '9001_step.sql'))
  writeFileSync(join(older, '9000_other.sql'), 'CREATE TABLE three (a int);')
  await expect(migratePostgres(db, older)).rejects.toThrow(
    'postgres migrations 9001_step.sql, 9002_step.sql are unknown',
  )
  const { rows } = await sql`SELECT to_regclass('three') AS three`.execute(db)
  expect(rows).toEqual([{ three: null }])
  await sql`DROP TABLE one, two`.execute(db)
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('the same of ClickHouse', async () => {
  await db.insertInto('migrations').values({ store: 'clickhouse', name: '9001_later.sql', checksum: 'x' }).execute()
  await expect(migrateClickHouse(clickhouse, db)).rejects.toThrow('its clickhouse migration 9001_later.sql is unknown')
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('a file lists the servers that may keep running with it: the previous version, and none without such a line', async () => {
  const later = ['-- Of the next version.\n-- minimum: 0080\nCREATE TABLE one (a int);', 'CREATE TABLE two (a int);']
  await migratePostgres(db, folderOf(...later))
  const knownUpTo = async (name: string) =>
    (await unknownMigrations(db, { postgres: [name], clickhouse: [] })).filter((one) => one.name.startsWith('9'))
  expect(await knownUpTo('0080_replicas.sql')).toEqual([
    { store: 'postgres', name: '9001_step.sql', isBearable: true },
    { store: 'postgres', name: '9002_step.sql', isBearable: false },
  ])
  expect((await knownUpTo('0079_refreshed_sessions.sql')).map(({ isBearable }) => isBearable)).toEqual([false, false])
  expect(await knownUpTo('9002_step.sql')).toMatchObject([{ name: '9001_step.sql' }])
  await sql`DROP TABLE one, two`.execute(db)
  await db.deleteFrom('migrations').where('name', 'like', '9%').execute()
})

test('a file that is not named like one is an error, and not passed over', async () => {
  const folder = folderOf()
  writeFileSync(join(folder, 'later.sql'), 'SELECT 1;')
  await expect(migratePostgres(db, folder)).rejects.toThrow('not later.sql')
})

test('a file of ClickHouse is run statement by statement, and again from its top when it failed', async () => {
  const text = `-- A comment; with a semicolon in it
CREATE TABLE IF NOT EXISTS steps (a String DEFAULT 'x;y')
ENGINE = MergeTree ORDER BY a;

-- Only a comment
ALTER TABLE steps ADD COLUMN IF NOT EXISTS b String DEFAULT ';'; -- a word
`
  const folder = folderFor('clickhouse', `${text}SELECT nonsense;\n`)
  await expect(migrateClickHouse(clickhouse, db, folder)).rejects.toThrow('9001_step.sql failed')
  expect(await applied()).toBe(0)
  writeFileSync(join(folder, '9001_step.sql'), text)
  await migrateClickHouse(clickhouse, db, folder)
  const columns = await clickhouse.rows(clickHouseSql`SELECT name FROM system.columns WHERE table = 'steps'`)
  expect(columns).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(await applied()).toBe(1)
})

test('the product’s own migrations are there, recorded with their checksums', async () => {
  const rows = await db.selectFrom('migrations').select(['store', 'name', 'checksum']).execute()
  expect(rows.filter(({ name }) => name < '9').length).toBeGreaterThan(1)
  expect(rows.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum))).toBe(true)
  expect(readFileSync(join(import.meta.dirname, '../../migrations/postgres/0001_foundation.sql'), 'utf8')).toContain(
    ';',
  )
})

test('a database that the product was never started on is known by its lack of tables', async () => {
  const empty = openPostgres(inject('stores').databaseUrl)
  expect([await hasTables(db), await hasTables(empty)]).toEqual([true, false])
  await empty.destroy()
})
