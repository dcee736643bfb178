import { type CellKind, cellFormats, cellText, isMoney, type Money, moneyFormat } from './cells.ts'

/** Value of a cell; a moment is shown in the server's time zone, a day is `yyyy-MM-dd`. */
type Cell = string | number | Date | Money | null

/** A sheet of a workbook: one table with a frozen head. Heads must be unique. */
export type TableSheet = {
  title: string
  columns: { head: string; kind: CellKind; width: number }[]
  rows: Cell[][]
}

/** Writes a workbook of few rows, in memory. Text becomes text cells, which no spreadsheet reads as a formula. */
export async function writeWorkbook(sheets: TableSheet[]): Promise<Uint8Array> {
  // It takes a tenth of a second to load and is rarely needed.
  const { default: Excel } = await import('exceljs')
  const book = new Excel.Workbook()
  for (const { title, columns, rows } of sheets) {
    const sheet = book.addWorksheet(title, { views: [{ state: 'frozen', ySplit: 1 }] })
    sheet.columns = columns.map(({ kind, width }) => {
      const numFmt = cellFormats[kind]
      return { width, ...(numFmt && { style: { numFmt } }) }
    })
    sheet.addTable({
      name: `${title.replaceAll(/\W/g, '')}Table`,
      ref: 'A1',
      headerRow: true,
      style: { theme: 'TableStyleLight1', showRowStripes: true },
      columns: columns.map(({ head }) => ({ name: head, filterButton: true })),
      // Spreadsheets reject a table without rows.
      rows: (rows.length > 0 ? rows : [columns.map(() => null)]).map((cells) =>
        cells.map((cell, i) => valueOf(columns[i]?.kind ?? 'text', cell)),
      ),
    })
    sheet.getRow(1).font = { bold: true }
    for (const [row, cells] of rows.entries())
      for (const [column, cell] of cells.entries())
        if (isMoney(cell)) sheet.getCell(row + 2, column + 1).numFmt = moneyFormat(cell)
  }
  return new Uint8Array(await book.xlsx.writeBuffer())
}

function valueOf(kind: CellKind, cell: Cell): Exclude<Cell, Money> {
  if (isMoney(cell)) return cell.amount
  if (cell === null || cell === '') return null
  if (cell instanceof Date) return new Date(cell.getTime() - cell.getTimezoneOffset() * 60_000)
  if (kind === 'day') return new Date(`${cell}T00:00:00Z`)
  return typeof cell === 'string' ? cellText(cell) : cell
}

/** Converts any text to a file name that every system accepts. */
export function fileName(text: string, ending: string): string {
  const safe = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return `${[...(safe || '_')].slice(0, 120).join('')}${ending}`
}
