import { sql as postgres } from 'kysely'
import type { ActionPlan } from '#events/actions/plans.ts'
import { counted } from '#events/contract/counted.ts'
import { maxPlanHours } from '#events/policies/runs.ts'
import { ownerTags } from '#events/policies/policies.ts'
import { hasCondition } from '#events/search/searched.ts'
import { streamNames } from '#events/streams.ts'
import { hasTagWhere } from '#server/content/entries/conditions.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { readClock } from '#server/platform/clock.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform, Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { countSelection, freezeSelection } from '#server/questions/selections/index.ts'
import { leaveOutKept, planAction, planOfJob } from '#server/work/actions/index.ts'
import { requestOf } from './checkDraft.ts'
import { keptSince } from './keptSince.ts'
import { draftOf, faultOfAuthor, type PolicyRow } from './policyRow.ts'
import type { RunRow } from './runs.ts'
import { countByStorage, type PlannedStorage, storagesOf } from './storagesOf.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>
type Plan = Pick<ActionPlan, 'files' | 'bytes' | 'leftOut' | 'hash'> & { id: number | null }

/** A plan, and the reasons to do nothing, if any. */
export type PlannedRun = { plan: Plan; nothing: string[]; storages: PlannedStorage[] }

export const doNothing = (...nothing: string[]): PlannedRun => ({
  plan: { id: null, files: 0, bytes: 0, leftOut: [], hash: '' },
  nothing,
  storages: [],
})

/** Actor of work that a policy starts. */
export const policyActor = ({ id }: { id: number }): Actor => ({
  kind: 'system',
  name: streamNames.policy(id),
  address: null,
})

/** Freezes what a policy takes today. A search that fails is a reason to do nothing; a store that is away is not. */
export async function planAct(services: Services, policy: PolicyRow, now: Date): Promise<PlannedRun> {
  const fault = await faultOfAuthor(services.db, policy)
  if (fault) return doNothing(fault)
  if (policy.action.kind !== 'nothing' && !hasCondition(policy.search)) return doNothing('The search has no condition')
  const plan = await freezeAct(services, policy).catch(orFailed)
  if (plan instanceof Error) return doNothing(`The search failed: ${failureOf(plan)}`)
  if (plan.files === 0) return { plan, nothing: leftOutOf(plan, 'No file matches'), storages: [] }
  const onlyCounts = policy.action.kind === 'nothing' ? ['The policy only counts'] : []
  const faults = await faultsOfPlan(services, plan.id, now)
  return { plan, nothing: [...faults, ...onlyCounts], storages: await storagesOf(services, plan.id) }
}

/** Reasons why a plan has no file: those of files left out, or this one. */
export const leftOutOf = ({ leftOut }: Pick<Plan, 'leftOut'>, otherwise: string): string[] =>
  leftOut.length === 0
    ? [otherwise]
    : leftOut.map(({ files, reason }) => `${counted(files, 'file')} left out: ${reason}`)

/** Freezes what a run had in quarantine and is still there. */
export async function planDeletion(services: Services, policy: PolicyRow, { jobId }: RunRow): Promise<PlannedRun> {
  const fault = await faultOfAuthor(services.db, policy)
  if (fault) return doNothing(fault)
  const plan = await planOfJob(services, 'deleteQuarantined', jobId ?? 0, policyActor(policy)).catch(orFailed)
  if (plan instanceof Error) return doNothing(failureOf(plan))
  return {
    plan,
    nothing: plan.files === 0 ? leftOutOf(plan, 'No file is in quarantine') : [],
    storages: await storagesOf(services, plan.id),
  }
}

/** Invalid input has its reasons in the fields. */
const failureOf = (error: Error): string =>
  error instanceof Problem && error.subErrors.length > 0
    ? error.subErrors.map(({ field, message }) => `${field} ${message}`).join(', ')
    : error.message

function orFailed(error: unknown): Error {
  if (isStoreLost(error) || !(error instanceof Error)) throw error
  return error
}

async function freezeAct(services: Services, policy: PolicyRow): Promise<Plan & { id: number }> {
  const { action, search, untouchedDays } = draftOf(policy)
  const taken = { untouchedDays, leaveOutKept: true }
  const by = policyActor(policy)
  const request = requestOf(action, search)
  if (request) return planAction(services, request, { by, ofPolicy: policy.id, everything: true, ...taken })
  const { id, hash } = await freezeSelection(services, {
    selection: { ...search, isDirectory: false },
    by,
    scope: 'everything',
    plan: (snapshot) =>
      leaveOutKept(services.db, action.kind === 'ask' ? leaveOutReleased(snapshot) : {}, snapshot, taken),
  })
  const { kept, leftOut } = await countSelection(services.clickhouse, id)
  const shown = leftOut.map(({ reason, files, bytes }) => ({ reason, files, bytes }))
  return { id, hash, files: kept.files, bytes: kept.bytes, leftOut: shown }
}

/** Leaves out files that their owner released: they need no answer. */
const leaveOutReleased = (snapshot: Snapshot) => ({
  leftOut: sql`if(${hasTagWhere(sql`tag = ${ownerTags.release}`, snapshot)}, 'Released by its owner', '')`,
})

const hourMs = 3_600_000

/**
 * Reasons why files of a plan may not be acted on: owners keep some since, or a scan of one of their storages is partial, old, or from a clock that
 * was ahead.
 */
export const faultsOfPlan = async (stores: Stores, selectionId: number, now: Date): Promise<string[]> => [
  ...(await staleScans(stores, selectionId, now)),
  ...(await keptSince(stores, selectionId)),
]

export async function staleScans(stores: Stores, selectionId: number, now: Date): Promise<string[]> {
  const volumes = (await countByStorage(stores, selectionId)).map(({ volumeId }) => volumeId)
  const { rows } = await postgres<{ name: string; isPartial: boolean; at: Date }>`
    SELECT volumes.name, scans.state != 'done' OR scans.scanned_path != '' AS "isPartial", coalesce(scans.started_at, scans.created_at) AS at
    FROM selections, jsonb_each_text(selections.scans) AS used (volume, scan)
    JOIN scans ON scans.id = scan::integer JOIN volumes ON volumes.id = volume::integer
    WHERE selections.id = ${selectionId} AND volumes.id = ANY(${volumes}) ORDER BY volumes.name`.execute(stores.db)
  return rows.flatMap(({ name, isPartial, at }) => {
    const ageMs = now.getTime() - at.getTime()
    if (isPartial)
      return `The last scan of ${name} is partial: it was of one folder, or could not read some. Scan all of it.`
    if (ageMs > maxPlanHours * hourMs) return `The last scan of ${name} is older than two days. Scan it again.`
    return ageMs < -hourMs
      ? `The last scan of ${name} is later than now. Check the clock of the server, and scan it again.`
      : []
  })
}

/** Throws 409 while the clock can't be trusted. */
export async function checkClock(db: Db | Trx, now: Date): Promise<void> {
  if (!(await readClock(db, now)).isPlausible)
    throw new Problem(
      409,
      'The clock of the server has jumped. Correct it, or confirm the date in the health problems, and try again.',
    )
}
