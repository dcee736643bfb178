import { costTexts, moneyText, roundedCosts } from '#events/money.ts'
import type { Statement } from '#events/projects/statements.ts'
import { csvHead, csvLine } from '#server/platform/files/csv.ts'
import { fileName, type TableSheet, writeWorkbook } from '#server/platform/files/workbook.ts'
import { type Download, inOnePiece } from '#server/platform/http/download.ts'
import { writePdf } from '#server/platform/pdf/writePdf.ts'
import { sizeText } from '#server/platform/sizeText.ts'

type NamedStatement = { name: string; statement: Statement }

export async function statementSpreadsheet(named: NamedStatement): Promise<Download> {
  return asDownload(named, 'xlsx', await writeWorkbook([tableOf(named.statement)]))
}

export function statementCsv(named: NamedStatement): Download {
  const { columns, rows } = tableOf(named.statement)
  const lines = rows.map((cells) => csvLine(cells.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))))
  return asDownload(
    named,
    'csv',
    Buffer.concat([csvHead(columns.map(({ head }) => head)), Buffer.from(lines.join(''))]),
  )
}

export const statementPdf = async (named: NamedStatement): Promise<Download> =>
  asDownload(named, 'pdf', await statementDocument(named))

/** A PDF with the costs by storage and class, and the totals by currency. */
export function statementDocument({ name, statement }: NamedStatement): Promise<Uint8Array> {
  const { month, closedAt, isComplete, averageBytes, costs, lines } = statement
  const prices = costTexts(lines)
  return writePdf({
    title: `${name}: statement of ${month}`,
    lines: [
      closedAt === null ? "This month isn't closed yet. Figures may change." : `Closed on ${closedAt.slice(0, 10)}.`,
      ...(isComplete ? [] : ['Days of this month are still being counted.']),
      "Sizes are averages over all days. Each day is charged at that day's price.",
    ],
    parts: [
      {
        kind: 'table',
        columns: [
          { head: 'Storage', width: 4 },
          { head: 'Storage class', width: 3 },
          { head: 'Average size', width: 2, align: 'right' },
          { head: 'Cost', width: 3, align: 'right' },
        ],
        rows: lines.map((line, at) => [
          line.volumeName,
          line.storageClass || '-',
          sizeText(line.averageBytes),
          prices[at] ?? '-',
        ]),
        sum: [
          'Total',
          '',
          sizeText(averageBytes),
          costs.map(({ currencySymbol, cost }) => moneyText(cost, currencySymbol)).join(' + ') || '-',
        ],
        empty: 'No data for this month.',
      },
    ],
    foot: `${name}, ${month}`,
  })
}

const tableOf = ({ month, lines }: Statement, costs = roundedCosts(lines)): TableSheet => ({
  title: 'Statement',
  columns: [
    { head: 'Month', kind: 'text', width: 10 },
    { head: 'Storage', kind: 'text', width: 30 },
    { head: 'Storage class', kind: 'text', width: 20 },
    { head: 'Average size (bytes)', kind: 'number', width: 24 },
    { head: 'Cost', kind: 'money', width: 16 },
    { head: 'Currency', kind: 'text', width: 10 },
  ],
  rows: lines.map(({ volumeName, storageClass, averageBytes, currencySymbol }, at) => [
    month,
    volumeName,
    storageClass || null,
    Math.round(averageBytes),
    costs[at] ?? null,
    currencySymbol,
  ]),
})

export const statementFileName = ({ name, statement: { month } }: NamedStatement, ending: string): string =>
  fileName(name, `-${month}.${ending}`)

const asDownload = (named: NamedStatement, ending: string, bytes: Uint8Array): Download => ({
  name: statementFileName(named, ending),
  size: bytes.length,
  body: inOnePiece(bytes),
})
