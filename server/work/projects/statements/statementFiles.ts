import { isolated } from '#events/pdf-fonts/spelling.ts'
import { costTexts, moneyText, roundedCosts } from '#events/money.ts'
import { chargedText, incompleteText, monthText } from '#events/projects/statementWords.ts'
import { csvHead, csvLine } from '#server/platform/files/csv.ts'
import { isMoney, moneyCell, moneyOf } from '#server/platform/files/cells.ts'
import { fileName, type TableSheet, writeWorkbook } from '#server/platform/files/workbook.ts'
import { type Download, inOnePiece } from '#server/platform/http/download.ts'
import { writePdf } from '#server/platform/pdf/writePdf.ts'
import { sizeText } from '#server/platform/sizeText.ts'

import type { NamedStatement } from './readStatements.ts'

export const statementSpreadsheet = (named: NamedStatement): Promise<Download> =>
  spreadsheetOf(statementFileName(named, 'xlsx'), [named])

export const statementCsv = (named: NamedStatement): Download => csvOf(statementFileName(named, 'csv'), [named])

/** The statements of all projects for a month in one table. */
export const statementsSpreadsheet = (month: string, all: NamedStatement[]): Promise<Download> =>
  spreadsheetOf(`Statements-${month}.xlsx`, all)

export const statementsCsv = (month: string, all: NamedStatement[]): Download => csvOf(`Statements-${month}.csv`, all)

const spreadsheetOf = async (name: string, all: NamedStatement[]): Promise<Download> =>
  asDownload(name, await writeWorkbook([tableOf(all)]))

/** Costs have the decimals of their currency, as on an invoice. */
function csvOf(name: string, all: NamedStatement[]): Download {
  const { columns, rows } = tableOf(all)
  const lines = rows.map((cells) =>
    csvLine(
      cells.map((cell) => {
        if (cell instanceof Date) return cell.toISOString()
        return isMoney(cell) ? moneyCell(cell) : cell
      }),
    ),
  )
  return asDownload(name, Buffer.concat([csvHead(columns.map(({ head }) => head)), Buffer.from(lines.join(''))]))
}

export const statementPdf = async (named: NamedStatement): Promise<Download> =>
  asDownload(statementFileName(named, 'pdf'), await statementDocument(named))

/** A PDF with the costs by storage and class, and the totals by currency. */
export function statementDocument({ name, deletedOn, statement }: NamedStatement): Promise<Uint8Array> {
  const { month, closedAt, isComplete, averageBytes, costs, lines } = statement
  const prices = costTexts(lines)
  return writePdf({
    title: `${isolated(name)}: statement for ${monthText(month)}`,
    lines: [
      chargedText(statement),
      closedAt === null ? "This month isn't closed yet. Figures may change." : `Closed on ${closedAt.slice(0, 10)}.`,
      ...(deletedOn ? [`The project was deleted on ${deletedOn}.`] : []),
      ...(isComplete ? [] : [incompleteText(statement)]),
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
    foot: `${isolated(name)}, ${month}`,
  })
}

const tableOf = (all: NamedStatement[]): TableSheet => ({
  title: 'Statement',
  columns: [
    { head: 'Project', kind: 'text', width: 30 },
    { head: 'Month', kind: 'text', width: 10 },
    { head: 'Charged until', kind: 'day', width: 14 },
    { head: 'Days without data', kind: 'number', width: 18 },
    { head: 'Storage', kind: 'text', width: 30 },
    { head: 'Storage class', kind: 'text', width: 20 },
    { head: 'Average size (bytes)', kind: 'number', width: 24 },
    { head: 'Cost', kind: 'money', width: 16 },
    { head: 'Currency', kind: 'text', width: 10 },
  ],
  rows: all.flatMap(rowsOf),
})

function rowsOf({ name, deletedOn, statement: { month, lastDay, daysWithoutData, lines } }: NamedStatement) {
  const costs = roundedCosts(lines)
  return lines.map(({ volumeName, storageClass, averageBytes, currencySymbol }, at) => [
    deletedOn ? `${name} (deleted on ${deletedOn})` : name,
    month,
    lastDay,
    daysWithoutData,
    volumeName,
    storageClass || null,
    Math.round(averageBytes),
    moneyOf(costs[at] ?? null, currencySymbol),
    currencySymbol,
  ])
}

export const statementFileName = ({ name, statement: { month } }: NamedStatement, ending: string): string =>
  fileName(name, `-${month}.${ending}`)

const asDownload = (name: string, bytes: Uint8Array): Download => ({ name, ...inOnePiece(bytes) })
