import { type Selectable, sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { counted } from '#events/contract/counted.ts'
import { endedStatuses, isOpen } from '#events/jobs/states.ts'
import type { OwnerAnswers } from '#events/policies/ownerFiles.ts'
import type { PolicyAction } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import { streamNames } from '#events/streams.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import { dayOf } from '#server/platform/days.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { notFound } from '#server/platform/problem.ts'
import { countQuarantined, pageOfPlan, type Quarantined } from '#server/work/actions/index.ts'
import { sumOf } from './counts.ts'
import { answersOf } from './owners/index.ts'
import { storagesOf } from './storagesOf.ts'

export type RunRow = Selectable<Tables['policyRuns']>
type Stores = Pick<Platform, 'db' | 'clickhouse'>

export const daysInQuarantine = (action: PolicyAction): number | null =>
  action.kind === 'quarantine' ? action.deleteAfterDays : null

/**
 * The moment from which what a run moved to quarantine may be deleted; null if it stays. The longer of the days when it started and those of the
 * policy now, as long as it moves files to quarantine.
 */
export function deletesAt(
  action: PolicyAction,
  { settledAt, deleteAfterDays }: Pick<RunRow, 'settledAt' | 'deleteAfterDays'>,
): Date | null {
  const days = action.kind === 'quarantine' ? daysInQuarantine(action) : deleteAfterDays
  if (days === null || deleteAfterDays === null || settledAt === null) return null
  return new Date(settledAt.getTime() + Math.max(days, deleteAfterDays) * 86_400_000)
}

/** Expression: when a run settles. Its job has ended some seconds before the run is settled, and tells the time. */
export const settlesAt = sql<Date | null>`coalesce(settled_at, CASE WHEN jobs.status = ANY(${endedStatuses}) THEN jobs.updated_at END)`

/** A run in the event log has its whole state: the newest event of a run is the run. */
export type RunEvent =
  | 'PolicyRunWaiting'
  | 'PolicyRunStarted'
  | 'PolicyRunHadNothing'
  | 'PolicyRunApproved'
  | 'PolicyRunDeclined'
  | 'PolicyRunExpired'
  | 'PolicyRunUndone'

/** Changes a run, and records its new state. */
export async function changeRun(
  trx: Trx,
  { id, name }: { id: number; name: string },
  by: Actor,
  type: RunEvent,
  { id: runId, approvals, ...changed }: Partial<RunRow> & { id: number },
): Promise<RunRow> {
  const row = await trx
    .updateTable('policyRuns')
    .set({ ...(changed as object), ...(approvals && { approvals: JSON.stringify(approvals) }) })
    .where('id', '=', runId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordRun(trx, { id, name }, by, type, row)
  return row
}

export const recordRun = (
  trx: Trx,
  { id, name }: { id: number; name: string },
  by: Actor,
  type: RunEvent,
  { inQuarantine: _, isHeld: __, settledAt: ___, countedAt: ____, ...run }: RunRow,
): Promise<void> => record(trx, streamNames.policy(id), by, { type, name, run } as { type: string })

/** The run of a policy that waits for approval, or whose job or question to the owners is open. */
export async function openRun(trx: Trx | Db, policyId: number, kind: PolicyRun['kind']) {
  const rows = await trx
    .selectFrom('policyRuns')
    .leftJoin('jobs', 'jobs.id', 'jobId')
    .select(['policyRuns.id', 'state', 'jobId', 'jobs.status'])
    .where('policyId', '=', policyId)
    .where('kind', '=', kind)
    .where(({ eb, or, and }) =>
      or([eb('state', '=', 'waiting'), and([eb('state', '=', 'started'), eb('settledAt', 'is', null)])]),
    )
    .orderBy('policyRuns.id')
    .execute()
  return rows.find(
    ({ state, jobId, status }) => state === 'waiting' || jobId === null || (status && isOpen({ status })),
  )
}

/** An open job that moves, deletes or puts back files of a run. */
export async function openJob(trx: Trx | Db, { id, jobId, undoJobs }: RunRow): Promise<number | undefined> {
  const deletions = trx.selectFrom('policyRuns').select('jobId').where('ofRun', '=', id)
  const jobs = trx
    .selectFrom('jobs')
    .select('id')
    .where('status', 'not in', endedStatuses)
    .where(({ eb, or }) => or([eb('id', 'in', [jobId ?? 0, ...undoJobs]), eb('id', 'in', deletions)]))
  return (await jobs.executeTakeFirst())?.id
}

/** Throws 404 for an unknown run. */
export async function findRun(db: Db | Trx, id: number): Promise<RunRow> {
  const row = await db.selectFrom('policyRuns').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? notFound('run', id)
}

const shownRuns = (db: Db) =>
  db
    .selectFrom('policyRuns')
    .innerJoin('policies', 'policies.id', 'policyId')
    .leftJoin('jobs', 'jobs.id', 'jobId')
    .selectAll('policyRuns')
    .select(['jobs.status as jobStatus', 'policies.action', settlesAt.as('settlesAt')])

type ShownRow = Awaited<ReturnType<ReturnType<typeof shownRuns>['execute']>>[number]

/** Runs of a policy, newest first. Throws 404 for an unknown policy. */
export async function listRuns(stores: Stores, policyId: number, query: PageQuery) {
  const policy = await stores.db.selectFrom('policies').select('id').where('id', '=', policyId).executeTakeFirst()
  if (!policy) notFound('policy', policyId)
  const rows = shownRuns(stores.db).where('policyId', '=', policyId)
  const order = { sortable: ['at'] as const, sort: 'at' as const, direction: 'desc' as const, tie: 'policyRuns.id' }
  const page = await listPage(stores.db, rows, query, order)
  return { ...page, elements: await shownAs(stores, page.elements) }
}

export async function readRun(stores: Stores, id: number): Promise<PolicyRun> {
  const row = await shownRuns(stores.db).where('policyRuns.id', '=', id).executeTakeFirst()
  const [shown] = await shownAs(stores, [row ?? notFound('run', id)])
  return shown ?? notFound('run', id)
}

/** Counts the quarantine of all rows at once. */
async function shownAs(stores: Stores, rows: readonly ShownRow[]): Promise<PolicyRun[]> {
  const jobIds = rows.flatMap(({ inQuarantine, jobId }) => (inQuarantine && jobId !== null ? [jobId] : []))
  const held = jobIds.length === 0 ? [] : await countQuarantined(stores, jobIds)
  return Promise.all(rows.map((row) => shownRun(stores, row, held)))
}

async function shownRun(stores: Stores, row: ShownRow, held: readonly Quarantined[]): Promise<PolicyRun> {
  const { id, kind, state, reasons, jobId, selectionId } = row
  const owners = row.action.kind === 'ask' && kind === 'act' ? await answersOf(stores.db, id) : undefined
  return {
    id,
    policyId: row.policyId,
    kind,
    state,
    reasons,
    files: row.files,
    bytes: row.bytes,
    leftOut: row.leftOut,
    hash: row.hash,
    startedBy: row.startedBy,
    jobId,
    jobStatus: row.jobStatus,
    undoJobs: row.undoJobs,
    ...(owners && { owners, reasons: [...reasons, ...withoutAddress(owners)] }),
    at: row.at.toISOString(),
    dueAt: row.dueAt?.toISOString() ?? null,
    approvals: row.approvals.map(({ by, at }) => ({ by, at })),
    missingApprovals: state === 'waiting' ? Math.max(0, row.neededApprovals - row.approvals.length) : 0,
    quarantine: row.inQuarantine && jobId !== null ? quarantineOf(row, held) : null,
    ...(state === 'waiting' && selectionId !== null && { storages: await namedStorages(stores, selectionId) }),
  }
}

async function namedStorages(stores: Stores, selectionId: number): Promise<PolicyRun['storages']> {
  const planned = await storagesOf(stores, selectionId)
  return planned.map(({ totalBytes: _, volumeId: __, ...storage }) => storage)
}

function withoutAddress({ withoutAddress: { owners, names } }: OwnerAnswers): string[] {
  const more = owners > 5 ? ', …' : ''
  return owners === 0 ? [] : [`No address for ${counted(owners, 'owner')}: ${names.slice(0, 5).join(', ')}${more}`]
}

function quarantineOf(row: ShownRow, held: readonly Quarantined[]): PolicyRun['quarantine'] {
  const deleteAt = deletesAt(row.action, { ...row, settledAt: row.settlesAt })
  return { ...sumOf(held.filter(({ jobId }) => jobId === row.jobId)), deleteOn: deleteAt && dayOf(deleteAt) }
}

/** A page of the list of a run; nothing once the list was dropped. */
export async function filesOfRun(stores: Stores, id: number, query: Parameters<typeof pageOfPlan>[2]) {
  const { selectionId } = await findRun(stores.db, id)
  return selectionId === null ? { rows: [], cursor: null } : pageOfPlan(stores, selectionId, query)
}
