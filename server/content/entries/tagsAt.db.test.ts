import { expect, test } from 'vitest'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { tagsAt, tagsIn } from './tagsAt.ts'

const clickhouse = await testClickHouse()
const shown = (...ids: number[]) => ({ volumes: ids.map((volumeId) => ({ volumeId })), partial: new Map() })

const write = (tag: string, version: number, from: string, to: string) =>
  clickhouse.change(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES (${tag}, 1, '/', 'a', false, ${from}, ${to}, ${version})`)

test('the newest version of a tag and a day counts, in any order', async () => {
  await write('kept', 2, '2026-01-01', '2149-06-06')
  await write('kept', 1, '2026-01-01', '2026-01-01')
  await write('ended', 3, '2026-01-01', '2149-06-06')
  await write('ended', 4, '2026-01-01', '2026-02-01')
  await write('ended', 5, '2026-03-01', '2149-06-06')
  await write('dataintell.report', 6, '2026-01-01', '2149-06-06')
  const tags = await tagsAt(clickhouse, [{ volumeId: 1, path: '/a', isDirectory: false }], shown(1))
  expect(tags.map(({ tag, from, to }) => [tag, from, to]).toSorted()).toEqual([
    ['ended', '2026-01-01', '2026-02-01'],
    ['ended', '2026-03-01', '2149-06-06'],
    ['kept', '2026-01-01', '2149-06-06'],
  ])
  expect(await tagsAt(clickhouse, [{ volumeId: 1, path: '/a', isDirectory: true }], shown(1))).toEqual([])
})

test('the tags of a folder are those directly in it, unless they are very many', async () => {
  const inFolder = (folder: string) => sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    SELECT 'seen', number % 2 + 2, ${folder}, toString(number), false, '2026-01-01', '2149-06-06', 1`
  await clickhouse.change(sql`${inFolder('/few/')} FROM numbers(4)`)
  await clickhouse.change(sql`${inFolder('/few/below/')} FROM numbers(4)`)
  await clickhouse.change(sql`${inFolder('/many/')} FROM numbers(4002)`)
  const few = await tagsIn(clickhouse, shown(2), '/few/')
  expect(few?.map(({ volumeId, path, tag }) => [volumeId, path, tag]).toSorted()).toEqual([
    [2, '/few/0', 'seen'],
    [2, '/few/2', 'seen'],
  ])
  expect(await tagsIn(clickhouse, shown(2, 3), '/many/')).toBeUndefined()
  expect(await tagsIn(clickhouse, shown(), '/few/')).toEqual([])
})
