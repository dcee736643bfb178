import { counted } from '#events/contract/counted.ts'
import { isolated } from '#events/pdf-fonts/spelling.ts'
import { checkText, queryText, sourceText } from '#events/reports/parameterWords.ts'
import { comparesData, type DataSource, reportTypeLabels, sourceTypeLabels } from '#events/reports/templates.ts'
import type { PdfDocument, PdfTable } from '#server/platform/pdf/document.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { namesOf } from '#server/work/reports/sourceNames.ts'
import { stateVerbs } from './checks.ts'
import type { RunFacts, Template } from './run.ts'

/** One of the largest found entries; -1 bytes means unknown. */
export type TopEntry = { storage: string; path: string; bytes: number }
type Top = Record<'files' | 'folders', TopEntry[]>

/** A run as a document: its check result, its figures, its largest entries, and its parameters. */
export async function runDocument(db: Db, report: Template, run: RunFacts, top: Top): Promise<PdfDocument> {
  const { name, type } = report
  const { indexingDate } = run.snapshot
  const ranAt = new Date().toLocaleString('sv-SE', { timeZoneName: 'short' })
  return {
    title: name,
    lines: [
      ...(run.limits.line === undefined ? [] : [`${run.limits.line}.`]),
      `Report of the type ${reportTypeLabels[type]}, run on ${ranAt} over the snapshot of ${indexingDate}.`,
      ...(run.check ? [`Check ${stateVerbs[run.check.state]}: ${run.check.reason}.`] : []),
    ],
    parts: [
      figuresTable(run),
      { ...twoColumns('Parameter', 'Value'), title: 'Parameters', rows: await parametersOf(db, report, run) },
      topTable('Top 10 files', top.files),
      topTable('Top 10 folders', top.folders),
    ],
    foot: `${isolated(name)}, ${indexingDate}`,
  }
}

function figuresTable(run: RunFacts): PdfTable {
  const count = (number: number | null) => (number ?? 0).toLocaleString('en-US')
  const size = (bytes: number | null) => sizeText(bytes ?? 0)
  return {
    kind: 'table',
    title: 'Matches',
    columns: [
      { head: '', width: 3 },
      { head: 'Found', width: 2, align: 'right' },
      { head: 'Total', width: 2, align: 'right' },
    ],
    rows: [
      ['Files', count(run.numberOfFilesFound), count(run.numberOfFilesTotal)],
      ['Folders', count(run.numberOfFoldersFound), count(run.numberOfFoldersTotal)],
      ['Size of files', size(run.sizeOfFilesFound), size(run.sizeOfFilesTotal)],
    ],
  }
}

async function parametersOf(db: Db, report: Template, { limits, snapshot }: RunFacts): Promise<string[][]> {
  const { references, comparison, searchQueryNode } = report.parameters
  const nameOf = await namesOf(db, [...references, ...comparison], limits.scope)
  const wordsOf = (sources: DataSource[]) =>
    sources.map((source) => `${sourceTypeLabels[source.type]} ${sourceText(nameOf(source), source)}`).join(', ')
  const volumes = snapshot.volumes.map(({ volumeId, name }) => ({ id: volumeId, name }))
  return [
    ...(comparesData(report.type)
      ? [
          ['Reference data', wordsOf(references)],
          ['Comparison data', wordsOf(comparison)],
        ]
      : []),
    ['Search queries', (searchQueryNode && queryText(searchQueryNode, volumes)) || 'None'],
    ['Tags', report.tags.map(isolated).join(', ') || 'None'],
    ['Retention', counted(report.retention, 'day')],
    ['Checks', report.checks.map(checkText).join('; ') || 'None'],
  ]
}

const topTable = (title: string, entries: TopEntry[]): PdfTable => ({
  kind: 'table',
  title,
  columns: [
    { head: 'Path', width: 6 },
    { head: 'Storage', width: 2 },
    { head: 'Size', width: 2, align: 'right' },
  ],
  rows: entries.map(({ path, storage, bytes }) => [path, storage, bytes < 0 ? '-' : sizeText(bytes)]),
  empty: 'No results.',
})

const twoColumns = (first: string, second: string) => ({
  kind: 'table' as const,
  columns: [
    { head: first, width: 1 },
    { head: second, width: 4 },
  ],
})
