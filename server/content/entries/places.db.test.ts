import { expect, test } from 'vitest'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { type Place, placeKey, rowsAt } from './places.ts'

const clickhouse = await testClickHouse()

/**
 * Two folders with the same hundred names, each as a file and as a folder; the paths are so long that one statement
 * holds few.
 */
const folders = [`/${'a'.repeat(4_000)}/`, `/${'b'.repeat(4_000)}/`]
const names = Array.from({ length: 100 }, (_, i) => String(i))
const from = sql`(
  SELECT toUInt32(1) AS volume, arrayJoin(${folders}) AS parent_path, arrayJoin(${names}) AS name,
    arrayJoin([true, false]) AS is_directory)`

test('rows are found at the requested places, each once, and at no mix of two of them', async () => {
  const places: Place[] = folders
    .flatMap((folder) => names.map((name) => ({ volumeId: 1, path: folder + name, isDirectory: name.endsWith('0') })))
    .filter((_, i) => i % 3 !== 0)
  const rows = await rowsAt<{ length: number }>(clickhouse, places, {
    columns: sql`length(name) AS length`,
    from,
    where: sql`1`,
  })
  expect(rows.map(placeKey).toSorted()).toEqual(places.map(placeKey).toSorted())
})
