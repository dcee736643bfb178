import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asText, csvHead, csvLine, csvSettings } from './csv.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testFolder } from '#server/platform/testing/stores.ts'

const clickhouse = await testClickHouse()

/** Reads the texts back with a strict reader, from a file written by the engine and from our own lines. */
async function written(texts: string[]): Promise<string[][]> {
  const path = join(testFolder('csv'), 'texts.csv')
  const rows = sql`
    SELECT ${asText(sql`item`)}, number FROM (
      SELECT item, number FROM (SELECT ${typed(texts, 'Array(String)')} AS items, arrayEnumerate(items) AS numbers)
      ARRAY JOIN items AS item, numbers AS number)
    ORDER BY number SETTINGS ${csvSettings}`
  await clickhouse.save(rows, 'CSV', path)
  const head = csvHead(['Text', 'The "number"'])
  const found = readCsv(Buffer.concat([head, readFileSync(path)]))
  const lines = texts.map((text, i) => csvLine([text, i + 1]))
  expect(readCsv(Buffer.concat([head, Buffer.from(lines.join(''))]))).toEqual(found)
  return found
}

const harmless = [
  '',
  'plain',
  'a,b;c\td',
  'line\none',
  'line\r\ntwo',
  '"quoted"',
  `it's`,
  '\\N',
  'NULL',
  'ünïcödé 🎬',
  'caf\uef80\uefff',
  'a=1+1',
  '#1',
  '1-2',
  ' ',
  '\u2028x',
  '\ufeffx',
  '.-',
  'a;b=1',
  'a; b',
]

test('any text is read back as it was', async () => {
  const [head, ...rows] = await written(harmless)
  expect(head).toEqual(['Text', 'The "number"'])
  expect(rows).toEqual(harmless.map((text, i) => [text, String(i + 1)]))
})

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  ' =1',
  '"=1',
  `'=1`,
  `"'" \t=cmd|' /C calc'!A0`,
  '\u00a0=1',
  '\u3000+1',
  '\ufeff=1',
  '\u0001=1',
  '＝1',
  '－1',
  '--',
  '@eaDir',
]

test('text that a spreadsheet would read as a formula is escaped, and other text is unchanged', async () => {
  const [, ...rows] = await written(formulas)
  expect(rows.map(([text]) => text)).toEqual(formulas.map((text) => `'${text}`))
})

test('text that would start a formula where semicolons separate cells is escaped, too', async () => {
  const within = ['/a;=1+1;b', ';=1', 'a; "@b', 'line\n=1', 'line\r\n\r\n-1;+1', '=1;=2']
  const [, ...rows] = await written(within)
  expect(rows.map(([text]) => text)).toEqual([
    `/a;'=1+1;b`,
    `;'=1`,
    `a;' "@b`,
    `line\n'=1`,
    `line\r\n\r\n'-1;'+1`,
    `'=1;'=2`,
  ])
})

test('numbers stay numbers, also negative ones, and what is unknown is empty', async () => {
  const path = join(testFolder('csv'), 'numbers.csv')
  const row = sql`SELECT -5, nullIf(-1, -1), 9007199254740993, toDateTime('2026-01-02 03:04:05', 'UTC') SETTINGS ${csvSettings}`
  await clickhouse.save(row, 'CSV', path)
  expect(readFileSync(path, 'utf8')).toBe('-5,,9007199254740993,"2026-01-02 03:04:05"\r\n')
})

test('numbers of a line of ours are not text, and null is empty', () => {
  expect(csvLine([-5, null, 'a', 0.5])).toBe('-5,,"a",0.5\r\n')
})

test('the reader of these tests is strict', () => {
  const read = (text: string) => readCsv(Buffer.from(`\ufeff${text}`))
  expect(read('a,"b ""c""\r\n"\r\n')).toEqual([['a', 'b "c"\r\n']])
  for (const broken of ['a', 'a\n', 'a"b\r\n', '"a"b\r\n', '"a\r\n', 'a\rb\r\n', 'a\r\nb,c\r\n'])
    expect(() => read(broken)).toThrow('CSV')
  expect(() => readCsv(Buffer.from('a\r\n'))).toThrow('CSV')
  expect(() => readCsv(Buffer.from('\ufeff\xff\r\n', 'latin1'))).toThrow('CSV')
})

test('text of digits that a spreadsheet would round becomes text, and shorter digits stay as they are', async () => {
  const rounded = ['1234567890123456', '000000000000000000012', '12E5', '7e10']
  const kept = ['123456789012345', '0010', '1234-5678-9012-3456', 'E5', '12E5.mov', '1234567890123456.dpx']
  const found = (await written([...rounded, ...kept])).slice(1).map(([text]) => text)
  expect(found).toEqual([...rounded.map((text) => `'${text}`), ...kept])
})
