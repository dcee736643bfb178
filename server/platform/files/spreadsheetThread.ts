import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import Excel from 'exceljs'
import type { Growth, Sheet } from './spreadsheet.ts'
import { cellFormats, cellText } from './cells.ts'

/** Maximum rows of a sheet in XLSX. */
const maxRowsPerSheet = 1_048_576
/** Rows between two checks of the written bytes and of the disk's pace. */
const rowsAtOnce = 1_000

type Worksheet = ReturnType<Excel.stream.xlsx.WorkbookWriter['addWorksheet']>

const port = parentPort as MessagePort
const { title, columns, rows, file, rowsPerSheet = maxRowsPerSheet } = workerData as Sheet
const out = createWriteStream(file, { flags: 'r+' })
const book = new Excel.stream.xlsx.WorkbookWriter({
  stream: out,
  useStyles: true,
  useSharedStrings: false,
  zip: { zlib: { level: 1 } },
})

let sheets = 1
let sheet = addSheet()
let onSheet = 1
let count = 0
for await (const line of linesOf(rows)) {
  if (onSheet === rowsPerSheet) {
    sheet.commit()
    sheets++
    sheet = addSheet()
    onSheet = 1
  }
  const cells = JSON.parse(line) as unknown[]
  sheet.addRow(cells.map((cell, i) => cellOf(columns[i]?.kind ?? 'text', cell))).commit()
  onSheet++
  if (++count % rowsAtOnce === 0) await keepUp(sheet)
}
sheet.commit()
await book.commit()
await finished(out)
tell({ written: out.bytesWritten, whole: true })

function addSheet(): Worksheet {
  const added = book.addWorksheet(sheets === 1 ? title : `${title} ${sheets}`, {
    views: [{ state: 'frozen', ySplit: 1 }],
  })
  added.columns = columns.map(({ head, kind, width }) => {
    const numFmt = cellFormats[kind]
    return { header: head, width, ...(numFmt && { style: { numFmt } }) }
  })
  added.getRow(1).font = { bold: true }
  return added
}

type Pipe = NodeJS.EventEmitter & { _writableState: { needDrain: boolean } }

/** Waits for the compressor, because the writer doesn't: uncompressed data would pile up in memory. */
async function keepUp(written: Worksheet): Promise<void> {
  tell({ written: out.bytesWritten, whole: false })
  await turn()
  const [pipe] = (written as Worksheet & { stream: { pipes: Pipe[] } }).stream.pipes
  if (pipe?._writableState.needDrain) await once(pipe, 'drain')
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function tell(growth: Growth): void {
  port.postMessage(growth)
}

/** The value of a cell. Text becomes a text cell, which no spreadsheet reads as a formula. */
function cellOf(kind: Sheet['columns'][number]['kind'], value: unknown): string | number | Date | null {
  if (value === null || value === '') return null
  switch (kind) {
    case 'number':
      return Number(value)
    case 'moment':
      return new Date(Number(value) * 1000)
    case 'day':
      return new Date(`${String(value)}T00:00:00Z`)
    case 'text':
      return cellText(String(value))
  }
}
