import Excel from 'exceljs'
import { expect } from 'vitest'
import { Criteria } from '#events/search/criteria.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { chosen } from '#server/questions/search/oracle/chosen.ts'
import { randomFilters } from '#server/questions/search/oracle/randomFilters.ts'
import { address, type LimitedCase } from './asking.ts'
import type { SeenEntry } from './limitedHistory.ts'

/** Characters that XML can't hold are written as `_x0008_`. */
const cell = (value: unknown): string =>
  String(value ?? '').replaceAll(/_x([\dA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Cells of the rows of a spreadsheet, with those of the head. */
export async function readSheets(bytes: Buffer): Promise<string[][]> {
  const book = new Excel.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  return book.worksheets.flatMap((sheet) =>
    (sheet.getSheetValues() as unknown[][]).filter(Array.isArray).map((row) => Array.from(row.slice(1), cell)),
  )
}

/** Each kind of file that a search can be downloaded as. */
export async function downloads(seen: LimitedCase): Promise<void> {
  const { random, dates, knownOn, deletedDays } = seen
  const indexingDate = random.pick(dates)
  const known = knownOn(indexingDate, deletedDays)
  for (const kind of ['files', 'folders'] as const) {
    const query: Record<string, string | string[]> =
      known.length > 0 ? { ...randomFilters(random, known, kind), indexingDate } : { indexingDate }
    const folder = kind === 'files' ? '/files/search' : '/files/search/folders'
    for (const format of ['csv', 'xlsx'] as const)
      await expectFile(seen, { path: `${folder}/${format}`, query }, chosen(known, SearchFilters.parse(query), kind))
  }
  const all = Criteria.parse([])
  const present = known.filter((entry) => !entry.deleted)
  for (const format of ['csv', 'xlsx'] as const)
    for (const isDirectory of [true, false]) {
      const query = { indexingDate, isDirectory: `${isDirectory}` }
      const meant = present.filter(({ row }) => row.isDirectory === isDirectory)
      await expectFile(seen, { path: `/v1/search/${format}`, query, body: all }, meant)
    }
}

type File = { path: string; query: Record<string, string | string[]>; body?: object }

async function expectFile({ ask }: LimitedCase, file: File, meant: readonly SeenEntry[]): Promise<void> {
  const { path, query, body } = file
  const answer = await ask(body ? 'POST' : 'GET', address(path, query), body).responseType('blob')
  const bytes = answer.body as Buffer
  if (answer.status !== 200) throw new Error(`${answer.status} for ${address(path, query)}: ${bytes.toString()}`)
  const [head = [], ...rows] = path.endsWith('csv') ? readCsv(bytes) : await readSheets(bytes)
  const [pathAt, sizeAt] = [head.indexOf('Path'), head.indexOf('Size (bytes)')]
  const plain = (text = '') => text.replace(/^'/, '')
  const found = rows.map((row) => [plain(row[pathAt]), row[sizeAt] ?? ''].join(' '))
  const expected = meant.map(({ volumeName, path: own, row }) =>
    [`/${volumeName}${own}`, row.size < 0 ? '' : `${row.size}`].join(' '),
  )
  expect({ file, found: found.sort() }).toEqual({ file, found: expected.sort() })
}
