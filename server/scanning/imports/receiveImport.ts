import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Input } from '#events/contract/endpoint.ts'
import type { ImportSummary, startImport } from '#events/imports/imports.ts'
import { streamNames } from '#events/streams.ts'
import { checkOlder, dropScanTables, rollUpImport, type StagedImport } from '#server/content/snapshots/index.ts'
import { recordChange } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { today } from '#server/platform/days.ts'
import { conflict, invalid, notFound } from '#server/platform/problem.ts'
import { compareWithScan } from './compareWithScan.ts'
import { type CsvField, type ParserOptions, RefusedExport } from './formats/format.ts'
import { arrangeEntries, isEmpty, type Repeated } from './reading/arrangeEntries.ts'
import type { ReadExport } from './reading/messages.ts'
import { readExport } from './reading/readExport.ts'

type Query = Input<typeof startImport>['query']

/** Milliseconds between notes of how far the reading is. A server that stops noting has died, see `startImports`. */
const noteEveryMs = 2_000

/**
 * Reads an export as it arrives, and returns the id of its import once its last byte did: it is `READY` then or soon after, or `FAILED` with the reason.
 * Throws before anything is read if the day can't be imported.
 */
export async function receiveImport(platform: Platform, query: Query, file: Readable, by: Actor): Promise<number> {
  const options = parserOptions(query)
  const staged = await inTransaction(platform.db, (trx) => begin(trx, query, by))
  const { db, clickhouse, log } = platform
  let readBytes = 0
  const note = () =>
    db.updateTable('imports').set({ readBytes, seenAt: new Date() }).where('id', '=', staged.id).execute()
  const timer = setInterval(() => void note().catch(() => undefined), noteEveryMs)
  const start = { format: query.format, options }
  const whole = readExport(clickhouse, staged.id, file, start, (bytes) => (readBytes = bytes))
    .then(async (found) => {
      await note()
      await finish(platform, staged, found)
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof RefusedExport)) log.error({ error, import: staged.id }, 'an export could not be read')
      await failImport(platform, staged.id, reasonOf(error, file))
    })
    .catch((error: unknown) => log.error({ error, import: staged.id }, 'an import could not be ended'))
    .finally(() => clearInterval(timer))
  await arrived(file, whole)
  return staged.id
}

function reasonOf(error: unknown, file: Readable): string {
  if (error instanceof RefusedExport) return error.message
  if (file.errored || (file.destroyed && !file.readableEnded)) return 'The upload ended before the end of the file.'
  return 'The file could not be read. The log of the server has the reason.'
}

/** Waits for the last byte; nothing reads it if the import failed before. */
async function arrived(file: Readable, whole: Promise<void>): Promise<void> {
  void whole.then(() => file.resume())
  if (!file.readableEnded)
    await new Promise<void>((resolve) =>
      file
        .once('end', resolve)
        .once('close', resolve)
        .once('error', () => resolve()),
    )
}

function parserOptions({ root, printf, unit, columns }: Query): ParserOptions {
  const places = columns?.split(',').map((column) => {
    const [, field, place] = /^(\w+)=(\d{1,4})$/.exec(column) ?? invalid('columns', 'must be like name=0,size=3')
    return [field as CsvField, Number(place)] as const
  })
  return {
    ...(root !== undefined && { root }),
    ...(printf !== undefined && { printf }),
    ...(unit !== undefined && { unit }),
    ...(places && { columns: Object.fromEntries(places) }),
  }
}

async function begin(trx: Trx, { storageId, date, format, fileName }: Query, by: Actor): Promise<StagedImport> {
  await checkDay(trx, storageId, date)
  const id = await reserveNumber(trx)
  const row = { id, volumeId: storageId, indexingDate: date, format, fileName: fileName ?? null, createdBy: by.name }
  await trx.insertInto('imports').values(row).execute()
  await recordChange(trx, streamNames.import(id), by, { after: row })
  return row
}

/** Throws 404 for a storage that isn't set up, 400 for a future day, and 409 for a day from that of its newest scan on. */
export async function checkDay(trx: Trx, volumeId: number, indexingDate: string): Promise<void> {
  const volumes = trx.selectFrom('volumes').select('id').where('id', '=', volumeId).where('deletedAt', 'is', null)
  if (!(await volumes.executeTakeFirst())) notFound('storage', volumeId)
  const index = trx.selectFrom('archiwares').select('id').where('volumeId', '=', volumeId)
  if (await index.executeTakeFirst())
    conflict('The index of an archive has versions of its own. Nothing can be imported into it.')
  if (indexingDate > today()) invalid('date', 'must not be in the future')
  await checkOlder(trx, { volumeId, indexingDate })
}

/** The number of a scan whose next number no scan gets. */
async function reserveNumber(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE numbers AS (
      SELECT nextval(pg_get_serial_sequence('scans', 'id')) AS id, -1::bigint AS before
      UNION ALL SELECT nextval(pg_get_serial_sequence('scans', 'id')), id FROM numbers WHERE id != before + 1)
    SELECT before AS id FROM numbers WHERE id = before + 1`.execute(trx)
  return rows[0]?.id ?? conflict('Other scans start at this moment. Try again.')
}

/** Arranges and counts what was read. */
async function finish(platform: Platform, staged: StagedImport, found: ReadExport): Promise<void> {
  const { clickhouse, db } = platform
  const repeated = await arrangeEntries(clickhouse, staged.id, found.prefix)
  if (await isEmpty(clickhouse, staged.id)) throw new RefusedExport('The file has no entries.')
  const { totals, files } = await rollUpImport(platform, staged)
  const comparison = await compareWithScan(platform, { ...staged, files, bytes: totals.bytes })
  const summary: ImportSummary = {
    counts: {
      files: totals.files,
      folders: totals.folders,
      bytes: totals.bytes,
      allocatedBytes: found.hasAllocated ? totals.allocatedBytes : null,
    },
    missing: found.missing,
    unreadableLines: withRepeated(found.unreadable, repeated),
    comparison,
  }
  await db
    .updateTable('imports')
    .set({ state: 'READY', summary: JSON.stringify(summary) })
    .where('id', '=', staged.id)
    .where('state', '=', 'READING')
    .execute()
  platform.live({ type: 'changed', topics: ['imports'] })
}

const withRepeated = ({ lines, count }: ReadExport['unreadable'], repeated: Repeated) => ({
  count: count + repeated.reduce((sum, { more }) => sum + more, 0),
  lines: [
    ...lines,
    ...repeated.map(({ path, more }) => ({
      line: 0,
      reason: `${path || '/'} is listed ${more + 1} times; the first one counts.`,
    })),
  ],
})

/** Ends an import that can't be read or committed, and removes all of it but the reason. */
export async function failImport(platform: Platform, id: number, reason: string): Promise<void> {
  await platform.db
    .updateTable('imports')
    .set({ state: 'FAILED', reason })
    .where('id', '=', id)
    .where('state', 'in', ['READING', 'COMMITTING'])
    .execute()
  await dropScanTables(platform.clickhouse, id)
  platform.live({ type: 'changed', topics: ['imports'] })
}
