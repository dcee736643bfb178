import { afterEach, expect, test } from 'vitest'
import { queries } from '#server/platform/clickhouse/runQuery.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { readPage } from './listEntries.ts'
import { totalsOf } from './totals.ts'

const clickhouse = await testClickHouse()

/** A thousand entries; each tenth is a folder; the size of the first is unknown. */
const entries = sql`(
  SELECT '/' AS parent_path, toString(number) AS name, 1 AS volume, number % 10 = 0 AS is_directory,
    toInt64(number) - 1 AS size, size AS allocated_size, toInt64(0) AS repeated_size
  FROM numbers(1000))`
const source = { from: entries, where: sql`volume = 1`, heavy: true, snapshot: { apparentVolumes: [] } }
const columns = sql`parent_path, name, volume, is_directory`
const sorts = {
  size: { by: 'size', kind: 'number', key: sql`toInt64(size)` },
  name: { by: 'name', kind: 'text', key: sql`lowerUTF8(name)` },
} as const
const [all, ofFiles] = [(998 * 999) / 2, (998 * 999) / 2 - 100 * 494 - 1]
const inAll = { count: 1000, bytes: all, fileBytes: ofFiles, billed: all, fileBilled: ofFiles }

let queryCount = 0
const count = () => void queryCount++
queries.subscribe(count)
afterEach(() => void (queryCount = 0))

const pageBy = (by: keyof typeof sorts, page: number, direction: 'asc' | 'desc') =>
  readPage<{ name: string }>(clickhouse, source, columns, sorts[by], { page, size: 3, direction })

test.for([
  ['size', 'desc', 1, ['999', '998', '997']],
  ['size', 'asc', 2, ['3', '4', '5']],
  ['size', 'desc', 334, ['0']],
  ['size', 'desc', 335, []],
  ['name', 'asc', 1, ['0', '1', '10']],
  ['name', 'desc', 2, ['996', '995', '994']],
] as const)(
  'a page by %s, %s, %i, is the same whether its end is found first or not',
  async ([by, direction, page, names]) => {
    const { rows, about } = await pageBy(by, page, direction)
    expect(rows.map(({ name }) => name)).toEqual(names)
    expect(about.total).toBe(1000)
  },
)

test('a page by numbers counts the totals too, and another one does not', async () => {
  const { counted } = await pageBy('size', 1, 'desc')
  expect(await totalsOf(clickhouse, source, counted)).toEqual(inAll)
  expect(queryCount).toBe(2)
  expect((await pageBy('name', 1, 'asc')).counted).toBeUndefined()
  expect(await totalsOf(clickhouse, source)).toEqual(inAll)
})
