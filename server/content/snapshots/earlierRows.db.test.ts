import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'

const clickhouse = await testClickHouse()

async function migrateAgain(name: string): Promise<void> {
  const file = readFileSync(join(import.meta.dirname, '../../../migrations/clickhouse', `${name}.sql`), 'utf8')
  for (const statement of file.split(/;\n/).filter((one) => one.includes('ALTER')))
    await clickhouse.command(text(statement))
}

const insert = (table: 'entries' | 'entry_history', path: string, facts: Record<string, string | number>) =>
  clickhouse.command(sql`
    INSERT INTO ${text(table)} (volume, parent_path, name, identification_hash, ${text(Object.keys(facts).join(', '))})
    SELECT 1, ${path.slice(0, path.lastIndexOf('/') + 1)}, ${path.slice(path.lastIndexOf('/') + 1)}, 7,
      ${text(Object.values(facts).join(', '))}`)

test('of rows that earlier versions wrote, times after today are unknown, and other times stay', async () => {
  for (const table of ['entries', 'entry_history'] as const) {
    await insert(table, '/future', { modified: 4_070_908_800, accessed: 1_600_000_000, modified_below: 4_294_967_295 })
    await insert(table, '/right', { modified: 1_600_000_000, accessed: 1_600_000_000, modified_below: 1_600_000_000 })
  }
  await migrateAgain('0014_plausible_times')
  for (const table of ['entries', 'entry_history'])
    expect(
      await clickhouse.rows(sql`
        SELECT name, toUnixTimestamp(modified) AS modified, toUnixTimestamp(accessed) AS accessed,
          toUnixTimestamp(modified_below) AS below
        FROM ${text(table)} ORDER BY name`),
    ).toEqual([
      { name: 'future', modified: 0, accessed: 1_600_000_000, below: 0 },
      { name: 'right', modified: 1_600_000_000, accessed: 1_600_000_000, below: 1_600_000_000 },
    ])
  for (const table of ['entries', 'entry_history']) await clickhouse.command(sql`TRUNCATE TABLE ${text(table)}`)
})

test('of rows that earlier versions wrote, objects match by their ETag and size', async () => {
  await insert('entries', '/a', { size: 10, etag: `'x'` })
  await insert('entries', '/b', { size: 1_000, etag: `'x'` })
  await insert('entries', '/c', { size: 10, etag: `'x'` })
  await insert('entries', '/file', { size: 10 })
  await migrateAgain('0022_size_and_etag')
  const hashes = await clickhouse.rows<{ hash: string }>(
    sql`SELECT toString(identification_hash) AS hash FROM entries ORDER BY name`,
  )
  const [a, b, c, file] = hashes.map(({ hash }) => hash)
  expect([a === c, a === b, file]).toEqual([true, false, '7'])
  await clickhouse.command(sql`TRUNCATE TABLE entries`)
})

test('rows of earlier versions that are not copies lose their hash', async () => {
  const own = { size: 5, modified: 1_600_000_000, created: 1_600_000_000 }
  const rows: [string, Record<string, string | number>, boolean][] = [
    ['/own', own, true],
    ['/npm', { ...own, modified: 499_162_500 }, false],
    ['/new year', { ...own, modified: 946_681_200 }, false],
    ['/undated', { ...own, modified: 0 }, false],
    ['/object', { ...own, modified: 0, etag: `'x'` }, true],
    ['/x/~snapshot/f', own, false],
    ['/folder', { ...own, is_directory: 1 }, true],
    ['/empty', { ...own, size: 0, is_directory: 1 }, false],
    ['/packed', { ...own, created: 0, is_directory: 1 }, false],
    ['/y/.snapshot', { ...own, is_directory: 1 }, false],
  ]
  for (const [path, facts] of rows) await insert('entries', path, facts)
  await migrateAgain('0015_no_copies')
  const found = await clickhouse.rows<{ path: string; hash: number }>(
    sql`SELECT concat(parent_path, name) AS path, toUInt32(identification_hash) AS hash FROM entries`,
  )
  const kept = found.filter(({ hash }) => hash === 7).map(({ path }) => path)
  expect(kept.sort()).toEqual(rows.flatMap(([path, , isCopy]) => (isCopy ? [path] : [])).sort())
})
