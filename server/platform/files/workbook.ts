import { type CellKind, cellFormats, cellText } from './cells.ts'

/** What a cell holds; a moment is shown in the server's time zone, a day is `yyyy-MM-dd`. */
type Cell = string | number | Date | null

/** A sheet of a workbook: one table, with a frozen head. Heads differ from each other. */
export type TableSheet = {
  title: string
  columns: { head: string; kind: CellKind; width: number }[]
  rows: Cell[][]
}

/** Writes a workbook of few rows, which is held in memory. Text is a cell of text, which no spreadsheet reads as a formula. */
export async function writeWorkbook(sheets: TableSheet[]): Promise<Uint8Array> {
  // It takes a tenth of a second to load, and hardly anybody needs it.
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
      // A table without a row is none to spreadsheets.
      rows: (rows.length > 0 ? rows : [columns.map(() => null)]).map((cells) =>
        cells.map((cell, i) => valueOf(columns[i]?.kind ?? 'text', cell)),
      ),
    })
    sheet.getRow(1).font = { bold: true }
  }
  return new Uint8Array(await book.xlsx.writeBuffer())
}

function valueOf(kind: CellKind, cell: Cell): Cell {
  if (cell === null || cell === '') return null
  if (cell instanceof Date) return new Date(cell.getTime() - cell.getTimezoneOffset() * 60_000)
  if (kind === 'day') return new Date(`${cell}T00:00:00Z`)
  return typeof cell === 'string' ? cellText(cell) : cell
}

/** A name of a file that every system takes, of any text. */
export function fileName(text: string, ending: string): string {
  const safe = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return `${[...(safe || '_')].slice(0, 120).join('')}${ending}`
}
