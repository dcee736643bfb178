import { sql as postgres } from 'kysely'
import {
  actionOfType,
  type ActionRequest,
  type ActionSelection,
  isOfPolicies,
  rightsOf,
  splitPayload,
} from '#events/actions/actions.ts'
import { type ActionPlan, type PlannedPart, type PlanOfSelection, takesEverything } from '#events/actions/plans.ts'
import { may } from '#events/contract/needs.ts'
import { isLimited } from '#events/search/searched.ts'
import type { SelectedEntry } from '#events/selections.ts'
import { beginJob, nextNumber, queueAction } from '#server/workers/jobs/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { checkLicence } from '#server/platform/http/mount.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { conflict, invalid, notFound, Problem } from '#server/platform/problem.ts'
import {
  assignSelection,
  countSelection,
  findSelection,
  freezeSelection,
  type FrozenSelection,
  rowsOfSelection,
} from '#server/questions/selections/index.ts'
import { emptySnapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, freedBytes, leaveOutKept, leaveOutMadeUp, leaveOutSplitLinks } from '../kit/parts.ts'
import { folderOf, leaveOutPutBack } from '../quarantine/inQuarantine.ts'
import { handlerOf } from './handlers.ts'
import { selectionOf } from './selectionOf.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>
type Options = {
  indexingDate?: string | undefined
  /** The search may take all files of all storages, because a person or the limits of a policy judge the plan before it starts. */
  everything?: boolean
  /** Files to act on instead of those that the request names. */
  entries?: SelectedEntry[]
  /** Selects only files that were not used within these days before the snapshot. */
  untouchedDays?: number
  /** Leaves out files that their owner keeps. */
  leaveOutKept?: boolean
} & ({ by: Caller; ofPolicy?: undefined } | { by: Actor; ofPolicy: number })

/**
 * Freezes the files of an action at a snapshot with their plan. A plan of a policy needs the bundle, but not the permission, which the author of
 * the policy has. Throws 403 without the permission or the bundle, 400 for a path that is in no storage, for a search that takes everything,
 * or an agent that does not exist.
 */
export async function planAction(platform: Services, request: ActionRequest, asked: Options): Promise<ActionPlan> {
  const { indexingDate, by, entries, everything = false } = asked
  const action = actionOfType(request.jobType)
  const { options, selection: named } = splitPayload(action, request.payload)
  const { needs, bundle } = rightsOf(action)
  if (asked.ofPolicy === undefined && !may(asked.by.roles, needs))
    throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
  checkLicence({ bundle }, platform.config.bundles)
  if (asked.ofPolicy === undefined ? isOfPolicies(action) : 'ofJob' in options)
    invalid('jobType', 'is started by the run of a policy')
  if (!entries && !everything) checkLimited(named)
  const { volumes } = (await snapshotAt(platform.db, 'everything', indexingDate)) ?? emptySnapshot
  const { selection, surplus } = entries ? { selection: { entries }, surplus: 0 } : selectionOf(named, volumes)
  let parts: ActionPlanning['parts'] = []
  const frozen = await freezeSelection(platform, {
    selection,
    at: indexingDate,
    by,
    scope: 'everything',
    expandFolders: true,
    async plan(snapshot) {
      const handler = handlerOf(action)
      const planned = await handler.plan(platform, options, snapshot, named)
      ;({ parts } = planned)
      const wanted = await leaveOutKept(
        platform.db,
        leaveOutMadeUp(planned.plan, snapshot, platform.config),
        snapshot,
        asked,
      )
      const plan = asked.ofPolicy === undefined ? wanted : await leaveOutPutBack(platform.db, wanted)
      return handler.byInode ? leaveOutSplitLinks(plan) : plan
    },
  })
  const owner = asked.ofPolicy === undefined ? { userId: asked.by.id } : { userId: null, policyId: asked.ofPolicy }
  return savePlan(platform, { ...frozen, missing: Math.max(0, frozen.missing - surplus) }, parts, { request, ...owner })
}

/** Adds the parts that have files to a frozen selection. */
export async function savePlan(
  platform: Services,
  frozen: FrozenSelection,
  parts: ActionPlanning['parts'],
  plan: Omit<PlanOfSelection, 'parts'>,
): Promise<ActionPlan> {
  const { byInode } = handlerOf(actionOfType(plan.request.jobType))
  const counted = await countParts(platform, frozen, parts, byInode ? freedBytes : allBytes)
  if (!(await haveAgents(platform.db, counted))) invalid('serverId', 'must be an agent that exists')
  await platform.db
    .updateTable('selections')
    .set({ missing: frozen.missing, plan: JSON.stringify({ ...plan, parts: counted } satisfies PlanOfSelection) })
    .where('id', '=', frozen.id)
    .execute()
  return shownPlan(platform, frozen, counted)
}

/** Throws 400 for a search that can't leave out any file. */
function checkLimited(named: ActionSelection): void {
  if ('isDirectory' in named && !isLimited(named)) invalid('search', takesEverything)
}

async function shownPlan(
  { clickhouse }: Services,
  { id, indexingDate, missing, hash }: FrozenSelection,
  parts: readonly PlannedPart[],
): Promise<ActionPlan> {
  const { leftOut } = await countSelection(clickhouse, id)
  const sum = (field: 'files' | 'bytes') => parts.reduce((total, part) => total + part[field], 0)
  return {
    id,
    files: sum('files'),
    bytes: sum('bytes'),
    leftOut: leftOut.map(({ reason, files, bytes }) => ({ reason, files, bytes })),
    missing,
    indexingDate,
    hash,
  }
}

const allBytes = sql`sum(toFloat64(greatest(size, 0)))`

/** The parts that have files. */
async function countParts(
  { clickhouse }: Services,
  { id }: FrozenSelection,
  parts: ActionPlanning['parts'],
  bytes: Sql,
): Promise<PlannedPart[]> {
  const { from, where } = rowsOfSelection(id)
  const rows = await clickhouse.rows<{ part: number; files: number; bytes: number }>(
    sql`
      SELECT part, count() AS files, ${bytes} AS bytes FROM ${from} WHERE ${where} AND left_out = ''
      GROUP BY part ORDER BY part`,
    { heavy: true },
  )
  return rows.flatMap((row) => parts.filter(({ part }) => part === row.part).map((part) => ({ ...part, ...row })))
}

/** Returns whether all agents of a plan exist. Locks them, so none is deleted until the transaction ends. */
async function haveAgents(db: Db, parts: readonly PlannedPart[]): Promise<boolean> {
  const ids = parts.map(({ serverId }) => serverId)
  const known = await db
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return ids.every((serverId) => known.some(({ id }) => id === serverId))
}

/** A plan of the caller, or of a policy. Throws 404 for any other. */
export async function findPlan(
  { db }: Pick<Platform, 'db'>,
  id: number,
  by: Pick<Actor, 'id'>,
  ofPolicy?: number,
): Promise<FrozenSelection & { plan: PlanOfSelection }> {
  const frozen = await findSelection(db, id)
  const { plan } = frozen ?? {}
  const isOwn = ofPolicy === undefined ? plan?.userId === (by.id ?? null) : plan?.policyId === ofPolicy
  if (!frozen || !plan || !isOwn) return notFound('plan', id)
  return { ...frozen, plan }
}

/**
 * Starts a plan of the caller or of a policy once; returns the number of its job. Throws 404 without the plan, and 409 if it has started, no file
 * is left, or its agent was deleted.
 */
export const startPlan = (platform: Services, id: number, by: Actor, ofPolicy?: number): Promise<number> =>
  inTransaction(platform.db, (trx) => startPlanIn(platform, trx, id, by, ofPolicy))

/** Same in the caller's transaction. */
export async function startPlanIn(
  { config }: Pick<Platform, 'config'>,
  trx: Trx,
  id: number,
  by: Actor,
  ofPolicy?: number,
): Promise<number> {
  const { plan, hash } = await findPlan({ db: trx }, id, by, ofPolicy)
  checkLicence(rightsOf(actionOfType(plan.request.jobType)), config.bundles)
  if (plan.parts.length === 0) conflict('No file is left to process', 'no-files')
  await lockUnused(trx, id)
  if (!(await haveAgents(trx, plan.parts))) conflict('The agent of this plan was deleted. Plan the action again.')
  const jobId = await nextNumber(trx, 'job_ids')
  const parts = []
  for (const { serverId, ...part } of plan.parts) {
    const taskId = await nextNumber(trx, 'task_ids')
    parts.push({ taskId, serverId, payload: { selection: id, hash, ...part } })
  }
  await assignSelection(trx, id, jobId)
  if (actionOfType(plan.request.jobType) === 'quarantine') await nameFolder(trx, id, jobId)
  await beginJob(trx, jobId, by, queueAction(jobId, plan.request, parts, new Date().toISOString()))
  return jobId
}

/** The id of the product changes when a backup is restored, but the folder keeps its name. */
async function nameFolder(trx: Trx, id: number, jobId: number): Promise<void> {
  const folder = folderOf(await readProductId(trx), jobId)
  await postgres`UPDATE selections SET plan = plan || ${JSON.stringify({ folder })}::jsonb WHERE id = ${id}`.execute(
    trx,
  )
}

async function lockUnused(trx: Trx, id: number): Promise<void> {
  const { rows } = await postgres<{ usedBy: number | null }>`
    SELECT used_by AS "usedBy" FROM selections WHERE id = ${id} FOR UPDATE`.execute(trx)
  if (rows[0]?.usedBy) conflict(`This plan was started as job ${rows[0].usedBy}`, 'started')
}
