import { expect, test } from 'vitest'
import type { Last, Order } from '#server/content/entries/order.ts'
import { type Sql, text } from '#server/platform/clickhouse/sql.ts'
import { mergeRows } from './contentsOf.ts'

const key: Sql = text('key')
const byNumber: Order = { sort: { by: 'size', kind: 'number', key }, direction: 'desc' }
const byText: Order = { sort: { by: 'name', kind: 'text', key }, direction: 'asc' }
const row = (name: string, sortKey: string | number, is_directory = false): Last => ({
  parent_path: '/',
  name,
  volume: 1,
  is_directory,
  sortKey,
})
const names = (rows: Last[]) => rows.map(({ name }) => name)

test('rows of two lists are merged in the order that both have, folders first', () => {
  const newest = [row('films', 7, true), row('b', 9), row('d', 2)]
  const closed = [row('plates', 8, true), row('a', 9), row('c', 5)]
  expect(names(mergeRows([newest, closed], byNumber))).toEqual(['plates', 'films', 'a', 'b', 'c', 'd'])
})

test('texts are sorted by their bytes, as in the engine', () => {
  const [letter, emoji] = ['ﬀ', '😀']
  expect([letter, emoji].sort()).toEqual([emoji, letter])
  expect(names(mergeRows([[row(emoji, emoji)], [row(letter, letter)]], byText))).toEqual([letter, emoji])
  expect(names(mergeRows([[row(emoji, 1)], [row(letter, 1)]], byNumber))).toEqual([letter, emoji])
})

test('the same folder of two volumes stays in the order of the volumes', () => {
  const there = { ...row('films', 4, true), volume: 2 }
  expect(mergeRows([[there], [row('films', 4, true)]], byNumber).map(({ volume }) => volume)).toEqual([1, 2])
})

test('a single list stays as it is', () => {
  const rows = [row('b', 1), row('a', 2)]
  expect(mergeRows([rows], byNumber)).toEqual(rows)
})
