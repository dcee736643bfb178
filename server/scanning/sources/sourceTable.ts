import { type Selectable, sql } from 'kysely'
import { type SourceKind, sourceOfType, sources } from '#events/sources/kinds.ts'
import type { PriceBookOfStorage } from '#events/sources/fileStorages.ts'
import { streamNames } from '#events/streams.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { today } from '#server/platform/days.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { anyTable } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { checkPriceBook, assignPriceBook } from '#server/content/price-books/index.ts'

export type VolumeRow = Selectable<Tables['volumes']>

type Priced = { storagePrice: PriceBookOfStorage }

/** Columns of a volume's row for a source of any kind. */
type SourceRow = Pick<VolumeRow, 'type' | 'name' | 'path' | 'agentId' | 'storagePriceId' | 'pace'> &
  Partial<
    Pick<VolumeRow, 'scanType' | 'ignoredPaths' | 'indexFolderOnlyPaths' | 'sizeBasis' | 'followsChanges' | 'readMedia'>
  >

/**
 * Storage of the sources of one kind: in the row of their volume and, for extra columns, in a row of the kind's own
 * table.
 */
export type SourceTable<Draft extends Priced, Details extends object> = {
  kind: SourceKind
  /** Names of the form fields that can be rejected. */
  fields: {
    name: string
    agent: string
    /** Error for a duplicate name, if the kind has its own text. */
    taken?: (name: string, isNew: boolean) => string
  }
  rowOf: (draft: Draft) => SourceRow
  /**
   * The kind's own table, whose rows have a `volumeId`. `check` throws 400 for references to missing rows; `own` is the
   * volume of a source that is changed.
   */
  details?: {
    table: keyof Tables
    columns: readonly (keyof Details & string)[]
    of: (draft: Draft) => Details
    check: (trx: Trx, details: Details, draft: Draft, own?: number) => Promise<void>
  }
  /** Rebuilds the draft of the rows, for the event log. */
  draftOf: (row: VolumeRow, details: Details) => Draft
}

/** Topics that a change of sources affects. */
export const sourceTopics = ['sources', 'volumes', 'snapshots', 'dashboard'] as const

/**
 * The functions that add, change and delete sources of a kind, for `crudRoutes`. The id of a source is that of its own
 * row, if the kind has a table. They throw 400 for a duplicate name and for a missing agent or price book, 409 for a
 * source of another kind and for deleting one that is being scanned or has files in quarantine.
 */
export const sourceTable = <Draft extends Priced, Details extends object>(source: SourceTable<Draft, Details>) => ({
  create: async ({ trx, record }: Change, draft: Draft): Promise<number> => {
    const row = source.rowOf(draft)
    await checkRow(trx, source, row)
    const details = await detailsOf(trx, source, draft)
    const { id: volumeId } = await trx.insertInto('volumes').values(row).returning('id').executeTakeFirstOrThrow()
    await assignPriceBook(trx, volumeId, draft.storagePrice)
    const id = details === undefined ? volumeId : await details.insert(volumeId)
    await record(streamNames.volume(volumeId), { after: draft })
    return id
  },
  /** A running scan keeps the settings it started with. */
  update: async ({ trx, record }: Change, id: number, draft: Draft): Promise<void> => {
    const row = source.rowOf(draft)
    const { volume, before } = await lockSource(trx, source, id)
    const other = sourceOfType(volume.type)
    if (other && other.kind !== source.kind) conflict(`${volume.name} is a ${other.one} and is changed as one`)
    await checkRow(trx, source, row, volume.id)
    const details = await detailsOf(trx, source, draft, volume.id)
    await trx.updateTable('volumes').set(row).where('id', '=', volume.id).execute()
    await assignPriceBook(trx, volume.id, draft.storagePrice)
    await details?.update(id)
    await record(streamNames.volume(volume.id), { before, after: draft })
  },
  /** The newest date no longer has the source; older dates keep it. */
  remove: async ({ trx, record }: Change, id: number): Promise<void> => {
    const { volume, before } = await lockSource(trx, source, id)
    await checkNoScan(trx, volume)
    await checkNoQuarantine(trx, volume)
    await trx.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volume.id).execute()
    await leaveNewestSnapshot(trx, volume.id)
    await record(streamNames.volume(volume.id), { before })
  },
})

async function checkRow<Draft extends Priced, Details extends object>(
  trx: Trx,
  { fields }: SourceTable<Draft, Details>,
  { name, agentId, storagePriceId }: SourceRow,
  own?: number,
): Promise<void> {
  const message = fields.taken?.(name, own === undefined)
  const taken = { value: name, own, field: fields.name, ...(message !== undefined && { message }) }
  await checkUnique(trx.selectFrom('volumes').where('deletedAt', 'is', null), taken)
  const agents = trx.selectFrom('agents').where('deletedAt', 'is', null)
  await checkExists(agents, { id: agentId, field: fields.agent, what: 'an agent that exists' })
  if (storagePriceId !== null) await checkPriceBook(trx, storagePriceId)
}

/**
 * Checks the draft's values for the kind's own table, and returns them with a function that writes them; undefined for
 * kinds without a table.
 */
async function detailsOf<Draft extends Priced, Details extends object>(
  trx: Trx,
  { details }: SourceTable<Draft, Details>,
  draft: Draft,
  own?: number,
) {
  if (!details) return undefined
  const row = details.of(draft)
  await details.check(trx, row, draft, own)
  return {
    insert: async (volumeId: number): Promise<number> => {
      const inserted = anyTable(trx)
        .insertInto(details.table)
        .values({ ...row, volumeId })
      return Number((await inserted.returning('id').executeTakeFirstOrThrow())['id'])
    },
    update: async (id: number): Promise<void> => {
      await anyTable(trx)
        .updateTable(details.table)
        .set({ ...row })
        .where('id', '=', id)
        .execute()
    },
  }
}

/**
 * Locks a source until the end of the transaction, so that it can't be changed or scanned, and returns the draft it was
 * made from.
 */
async function lockSource<Draft extends Priced, Details extends object>(
  trx: Trx,
  { kind, details, draftOf }: SourceTable<Draft, Details>,
  id: number,
) {
  const own =
    details &&
    (await anyTable(trx).selectFrom(details.table).selectAll().where('id', '=', id).forUpdate().executeTakeFirst())
  const volumeId = details ? Number(own?.['volumeId'] ?? 0) : id
  const living = trx.selectFrom('volumes').selectAll().where('deletedAt', 'is', null)
  const volume = await living.where('id', '=', volumeId).forNoKeyUpdate().executeTakeFirst()
  if (!volume) return notFound(sources[kind].one, id)
  const known = Object.fromEntries((details?.columns ?? []).map((column) => [column, own?.[column]]))
  return { volume, before: draftOf(volume, known as Details) }
}

async function checkNoScan(trx: Trx, { id, name }: VolumeRow): Promise<void> {
  const scan = await trx
    .selectFrom('scans')
    .select('id')
    .where('volumeId', '=', id)
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .executeTakeFirst()
  if (scan) conflict(`A scan of ${name} is waiting or running. Delete the storage after the scan has ended.`)
}

async function checkNoQuarantine(trx: Trx, { id, name }: VolumeRow): Promise<void> {
  const { rows } = await sql<{ runId: number; policy: string }>`
    SELECT policy_runs.id AS "runId", policies.name AS policy FROM policy_runs
    JOIN policies ON policies.id = policy_id JOIN selections ON selections.id = selection_id
    WHERE in_quarantine AND plan -> 'parts' @> ${JSON.stringify([{ system: id }])}::jsonb
    ORDER BY policy_runs.id LIMIT 1`.execute(trx)
  const [run] = rows
  if (run)
    conflict(
      `Run ${run.runId} of policy ${run.policy} has files of ${name} in quarantine. Put them back, or delete them with the policy. Then delete the storage.`,
    )
}

/**
 * Removes a deleted volume from today's date. If the newest date is older, the volumes that remain get one of today, unchanged, so that
 * the days before the deletion are still charged by the older one. Without other volumes, the older one stays the newest, and shows none (`snapshotAt`).
 */
async function leaveNewestSnapshot(trx: Trx, volumeId: number): Promise<void> {
  const day = today()
  await sql`
    INSERT INTO snapshots (indexing_date, volume_id, scan_id) SELECT ${day}::date, others.volume_id, others.scan_id
    FROM snapshots AS own JOIN snapshots AS others USING (indexing_date) JOIN volumes ON volumes.id = others.volume_id
    WHERE own.volume_id = ${volumeId} AND indexing_date = (SELECT max(indexing_date) FROM snapshots) AND indexing_date < ${day}
      AND deleted_at IS NULL
    ON CONFLICT DO NOTHING`.execute(trx)
  const own = trx.deleteFrom('snapshots').where('volumeId', '=', volumeId)
  await own.where('indexingDate', '>=', day).execute()
}
