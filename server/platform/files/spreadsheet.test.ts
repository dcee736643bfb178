import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import Excel from 'exceljs'
import { expect, test } from 'vitest'
import { type Sheet, type Spreadsheet, writeSpreadsheet } from './spreadsheet.ts'
import { testFolder } from '#server/platform/testing/stores.ts'

const columns: Sheet['columns'] = [
  { head: 'Name', kind: 'text', width: 30 },
  { head: 'Size', kind: 'number', width: 10 },
  { head: 'Created', kind: 'moment', width: 20 },
  { head: 'Indexed', kind: 'day', width: 12 },
]
const never = new AbortController().signal

function sheetOf(rows: unknown[][]): Sheet {
  const folder = testFolder('sheet')
  writeFileSync(join(folder, 'rows'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return { title: 'Files', columns, rows: join(folder, 'rows'), file: join(folder, 'book.xlsx') }
}

async function read({ bytes }: Spreadsheet): Promise<Excel.Workbook> {
  const book = new Excel.Workbook()
  await book.xlsx.load((await buffer(bytes)) as unknown as ArrayBuffer)
  return book
}

const valuesOf = (sheet: Excel.Worksheet, row: number) => (sheet.getRow(row).values as unknown[]).slice(1)

const names = [
  'plain',
  '=1+1',
  '-1',
  ' begins with a space',
  'line\none',
  '<b>&"\'</b>',
  'ünïcödé 🎬 \u2028',
  '\uef80\uefff',
  '000123',
  '2026-01-01',
]

test('text stays text, sizes are numbers, and moments and days are dates', async () => {
  const rows = names.map((name, i) => [name, i * 1e9, 1_700_000_000 + i, '2026-02-03'])
  const book = await read(await writeSpreadsheet(sheetOf([...rows, ['empty', null, null, null]]), never))
  const sheet = book.getWorksheet('Files')!
  expect(valuesOf(sheet, 1)).toEqual(['Name', 'Size', 'Created', 'Indexed'])
  const cells = names.map((_, i) => [1, 2, 3, 4].map((column) => sheet.getRow(i + 2).getCell(column)))
  expect(cells.map(([name]) => name!.value)).toEqual(names)
  expect(cells.every(([name]) => name!.type === Excel.ValueType.String)).toBe(true)
  expect(cells.map(([, size]) => size!.value)).toEqual(names.map((_, i) => i * 1e9))
  expect(cells.map(([, , at]) => (at!.value as Date).getTime())).toEqual(
    names.map((_, i) => (1_700_000_000 + i) * 1000),
  )
  expect(cells[0]!.map(({ numFmt }) => numFmt)).toEqual([undefined, '#,##0', 'yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd'])
  expect((cells[0]![3]!.value as Date).toISOString()).toBe('2026-02-03T00:00:00.000Z')
  expect(valuesOf(sheet, names.length + 2)).toEqual(['empty'])
})

test('characters that XML does not allow are escaped like in spreadsheets, and long text is cut', async () => {
  const texts = ['\u0001\r\u007f', '_x0041_', '_x41_', 'x'.repeat(40_000)]
  const book = await read(await writeSpreadsheet(sheetOf(texts.map((text) => [text, 1, 1, '2026-01-01'])), never))
  const found = texts.map((_, i) =>
    String(
      book
        .getWorksheet('Files')!
        .getRow(i + 2)
        .getCell(1).value,
    ),
  )
  expect(found.slice(0, 3)).toEqual(['_x0001__x000D__x007F_', '_x005F_x0041_', '_x41_'])
  expect([found[3]!.length, found[3]!.at(-1)]).toEqual([32_767, '…'])
})

test('rows that do not fit on a sheet continue on the next ones, each with its headings', async () => {
  const sheet = sheetOf(Array.from({ length: 2_500 }, (_, i) => [`file ${i}`, i, i, '2026-01-01']))
  const book = await read(await writeSpreadsheet({ ...sheet, rowsPerSheet: 1_001 }, never))
  expect(book.worksheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
    ['Files', 1_001],
    ['Files 2', 1_001],
    ['Files 3', 501],
  ])
  expect(book.worksheets.map((each) => each.getRow(1).getCell(1).value)).toEqual(['Name', 'Name', 'Name'])
  expect(book.worksheets.map((each) => each.getRow(2).getCell(2).value)).toEqual([0, 1_000, 2_000])
})

test('a table without rows has its heads', async () => {
  const book = await read(await writeSpreadsheet(sheetOf([]), never))
  expect(book.worksheets.map(({ rowCount }) => rowCount)).toEqual([1])
})

test('a spreadsheet that breaks or is called off is never taken for whole', async () => {
  const sheet = sheetOf([['a', 1, 1, '2026-01-01']])
  writeFileSync(sheet.rows, `${'["a",1,1,"2026-01-01"]\n'.repeat(5_000)}no JSON\n`)
  const broken = await writeSpreadsheet(sheet, never)
  await expect(buffer(broken.bytes)).rejects.toThrow('JSON')
  await broken.over
  const caller = new AbortController()
  const calledOff = await writeSpreadsheet(
    sheetOf(Array.from({ length: 50_000 }, () => ['a', 1, 1, null])),
    caller.signal,
  )
  caller.abort(new Error('the browser is gone'))
  await expect(buffer(calledOff.bytes)).rejects.toThrow('aborted')
  await calledOff.over
})
