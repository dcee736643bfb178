import { fullPath, placeCells, placeHeads, storageName } from '#server/questions/exports/index.ts'
import { type MailFile, makeMailFile } from '#server/messages/notifications/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { csvHead, csvSettings } from '#server/platform/files/csv.ts'
import { fileName } from '#server/platform/files/workbook.ts'
import { writePdf } from '#server/platform/pdf/writePdf.ts'
import type { Platform } from '#server/platform/platform.ts'
import { rowsOfRun } from './foundEntries.ts'
import type { RunFacts, Template } from './run.ts'
import { runDocument, type TopEntry } from './runDocument.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'log'>

/** Maximum CSV rows: the largest entries. */
export const maxCsvRows = 10_000
const maxTopEntries = 10
const heavy = { heavy: true, seconds: 300 }

/** The attachments of a run's mails: a PDF about it, and its results as CSV. */
export async function filesOfRun(stores: Stores, report: Template, run: RunFacts): Promise<MailFile[]> {
  // A CSV has no lines besides its table.
  const { line } = run.limits
  const name = line === undefined ? report.name : `${report.name}, ${line.toLowerCase()}`
  const named = (ending: string) => fileName(name, `-${run.snapshot.indexingDate}.${ending}`)
  const pdf = async () => {
    const top = { files: await largest(stores, run, false), folders: await largest(stores, run, true) }
    return writePdf(await runDocument(stores.db, report, run, top))
  }
  return [
    await makeMailFile(stores, named('pdf'), pdf),
    await makeMailFile(stores, named('csv'), () => foundCsv(stores, run)),
  ]
}

/** Largest first; equal sizes by path. */
const bySize = (limit: number): Sql => sql`ORDER BY size DESC, volume, parent_path, name LIMIT ${limit}`

function largest({ clickhouse }: Stores, { runId, snapshot }: RunFacts, isDirectory: boolean): Promise<TopEntry[]> {
  const { from, where } = rowsOfRun(runId)
  return clickhouse.rows<TopEntry>(
    sql`
      SELECT ${storageName(snapshot.volumes)} AS storage, ${fullPath(snapshot.volumes)} AS path, toFloat64(size) AS bytes
      FROM ${from} WHERE ${where} AND is_directory = ${isDirectory} ${bySize(maxTopEntries)}`,
    heavy,
  )
}

async function foundCsv({ clickhouse }: Stores, { runId, snapshot }: RunFacts): Promise<Uint8Array> {
  const { from, where } = rowsOfRun(runId)
  const rows = await clickhouse.bytes(
    sql`
      SELECT ${join(placeCells(snapshot.volumes), ', ')} FROM ${from} WHERE ${where} ${bySize(maxCsvRows)} SETTINGS ${csvSettings}`,
    'CSV',
    heavy,
  )
  return Buffer.concat([csvHead(placeHeads), rows])
}
