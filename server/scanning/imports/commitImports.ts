import { streamNames } from '#events/streams.ts'
import { commitImport, dropScanTables, removeImportedRows, undoImport } from '#server/content/snapshots/index.ts'
import { recordChange } from '#server/platform/log/audit.ts'
import { type Actor, system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { conflict, messageOf, notFound } from '#server/platform/problem.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { importRecord } from './importRecord.ts'
import { checkDay, failImport } from './receiveImport.ts'

/** Begins the commit of an import, once if it is called twice. Throws 409 if its day has a snapshot, unless `replace` confirms that. */
export async function beginCommit(platform: Platform, id: number, replace: boolean, by: Actor): Promise<void> {
  await inTransaction(platform.db, async (trx) => {
    const { state } = await locked(trx, id)
    const record = await importRecord(trx, id)
    if (state === 'COMMITTING' || state === 'COMMITTED') return
    if (state !== 'READY') conflict(`Import ${id} is ${state.toLowerCase()} and can't be committed`)
    await checkDay(trx, record.storageId, record.date)
    if (record.replaces && !replace)
      conflict(
        `${record.storageName} already has a snapshot of ${record.date}. Confirm that the import replaces it.`,
        'replaces',
      )
    await trx.updateTable('imports').set({ state: 'COMMITTING' }).where('id', '=', id).execute()
    await recordChange(trx, streamNames.import(id), by, { before: { state }, after: { state: 'COMMITTING', replace } })
  })
  platform.live({ type: 'changed', topics: ['imports'] })
  void commit(platform, id)
}

const locked = async (trx: Trx, id: number) =>
  (await trx.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ??
  notFound('import', id)

const committing = new Map<number, Promise<void>>()

/** Commits an import whose commit was started. If a store is away, a later round of `startImports` does. */
function commit(platform: Platform, id: number): Promise<void> {
  const running = committing.get(id) ?? tryToCommit(platform, id).finally(() => committing.delete(id))
  committing.set(id, running)
  return running
}

async function tryToCommit(platform: Platform, id: number): Promise<void> {
  const { db, log } = platform
  try {
    const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (row.state !== 'COMMITTING') return
    const origin = { format: row.format, missing: row.summary?.missing ?? [] }
    await commitImport(platform, row, origin, async (trx, madeDate) => {
      await trx.updateTable('imports').set({ state: 'COMMITTED', madeDate }).where('id', '=', id).execute()
      const [before, after] = [{ state: 'COMMITTING' }, { state: 'COMMITTED' }]
      await recordChange(trx, streamNames.import(id), system, { before, after })
    })
    platform.live({ type: 'changed', topics: ['imports', 'snapshots', 'volumes', 'dashboard'] })
  } catch (error) {
    log.error({ error, import: id }, 'an import could not be committed')
    if (isStoreLost(error)) return
    await abandon(platform, id, messageOf(error)).catch((again: unknown) =>
      log.error({ error: again, import: id }, 'an import could not be ended'),
    )
  }
}

async function abandon(platform: Platform, id: number, reason: string): Promise<void> {
  const { db, clickhouse } = platform
  const { volumeId, state } = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (state !== 'COMMITTING') return
  await removeImportedRows(clickhouse, volumeId, id)
  await failImport(platform, id, `The snapshot could not be made: ${reason}`)
}

/** Removes an import, and what its commit made. Throws 409 while it is committed. */
export async function removeImport(platform: Platform, id: number, by: Actor): Promise<void> {
  const { db, clickhouse } = platform
  const row =
    (await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()) ?? notFound('import', id)
  if (row.state === 'COMMITTING') conflict(`Import ${id} is being committed. Remove it afterwards.`)
  const also = async (trx: Trx) => {
    const { state } = await locked(trx, id)
    if (state !== row.state) conflict(`Import ${id} is ${state.toLowerCase()} now. Try again.`)
    await trx.deleteFrom('imports').where('id', '=', id).execute()
    const { summary: _, ...before } = row
    await recordChange(trx, streamNames.import(id), by, { before })
  }
  if (row.state === 'COMMITTED') await undoImport(db, row, also)
  else await inTransaction(db, also)
  await dropScanTables(clickhouse, id)
  platform.live({ type: 'changed', topics: ['imports', 'snapshots', 'volumes', 'dashboard'] })
}

/** Milliseconds of silence after which the server that read an export is gone. */
const silentMs = 60_000

/** Continues commits that a server left, and ends imports whose file it was reading. */
export const startImports = (platform: Platform, everyMs = 10_000, silent = silentMs): Running =>
  runEvery(everyMs, () => resume(platform, silent), 'imports could not be continued, will retry', platform.log)

async function resume(platform: Platform, silent: number): Promise<boolean> {
  const open = await platform.db
    .selectFrom('imports')
    .select(['id', 'state', 'seenAt'])
    .where('state', 'in', ['READING', 'COMMITTING'])
    .execute()
  for (const { id, state, seenAt } of open) {
    if (state === 'COMMITTING') await commit(platform, id)
    else if (seenAt.getTime() < Date.now() - silent)
      await failImport(platform, id, 'The server stopped while it read the file. Import it again.')
  }
  return open.length > 0
}
