import { TagPayload } from '#events/jobs/payloads.ts'
import type { PolicyRun, RunState } from '#events/policies/runs.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import { type Actor, system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { startPlanIn } from '#server/work/actions/index.ts'
import { queueTaggingIn } from '#server/work/tags/index.ts'
import { requestOf } from './checkDraft.ts'
import { reasonsOfLimits } from './limits.ts'
import { notifyAdministrators } from './notifyAdministrators.ts'
import { type PlannedRun, policyActor } from './planRun.ts'
import type { PolicyRow } from './policyRow.ts'
import { changeRun, daysInQuarantine, findRun, openJob, recordRun, type RunRow } from './runs.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>
type NewRun = {
  kind: PolicyRun['kind']
  /** Undefined for a run that a person started, which that person or another one approves. */
  dueAt?: Date | undefined
  ofRun?: number | undefined
  by: Actor
  now: Date
}

/**
 * Stores a planned run in the caller's transaction, which has locked the policy: with nothing to do, waiting for approval with the reasons, or
 * started.
 */
export async function saveRun(
  services: Services,
  trx: Trx,
  policy: PolicyRow,
  planned: PlannedRun,
  { kind, dueAt, ofRun, by, now }: NewRun,
): Promise<RunRow> {
  const { id: selectionId, files, bytes, leftOut, hash } = planned.plan
  const row = await trx
    .insertInto('policyRuns')
    .values({
      policyId: policy.id,
      kind,
      at: now,
      dueAt: dueAt ?? null,
      ofRun: ofRun ?? null,
      selectionId,
      files,
      bytes,
      hash,
      leftOut: JSON.stringify(leftOut),
      volumeBytes: JSON.stringify(Object.fromEntries(planned.storages.map(({ volumeId, bytes }) => [volumeId, bytes]))),
      startedBy: dueAt ? 'schedule' : by.name,
      ...(await judge(trx, policy, planned, { kind, now, ofRun }, dueAt)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.state === 'started') return startRun(services, trx, policy, row, by, now)
  await recordRun(trx, policy, by, row.state === 'waiting' ? 'PolicyRunWaiting' : 'PolicyRunHadNothing', row)
  if (row.neededApprovals > 0) await notifyAdministrators(trx, policy, row, 'waits for approval', row.reasons)
  return row
}

/** The first state of a run. A run that asks the owners waits without an approval: they get emails after the transaction, by `startIfApproved`. */
async function judge(
  trx: Trx,
  policy: PolicyRow,
  { plan, nothing, storages }: PlannedRun,
  { kind, now, ofRun }: Pick<NewRun, 'kind' | 'now' | 'ofRun'>,
  dueAt?: Date,
): Promise<Pick<RunRow, 'state' | 'reasons' | 'neededApprovals'>> {
  if (nothing.length > 0) return { state: 'nothing', reasons: nothing, neededApprovals: 0 }
  const reasons = [
    ...(await reasonsOfTrust(trx, policy, kind, dueAt)),
    ...(ofRun === undefined ? [] : await reasonsOfRefusal(trx, ofRun)),
    ...(await reasonsOfLimits(trx, policy.limits, plan, storages, { policyId: policy.id, kind, now })),
  ]
  if (reasons.length > 0) return { state: 'waiting', reasons, neededApprovals: policy.needsSecondPerson ? 2 : 1 }
  const isAsking = policy.action.kind === 'ask' && kind === 'act'
  return { state: isAsking ? 'waiting' : 'started', reasons, neededApprovals: 0 }
}

/** Reasons for approval besides limits. */
async function reasonsOfTrust(trx: Trx, policy: PolicyRow, kind: PolicyRun['kind'], dueAt?: Date): Promise<string[]> {
  const isTrusted = kind === 'act' ? policy.trusted : policy.trustsDeletion
  const earlier = trx.selectFrom('policyRuns').select('id').where('policyId', '=', policy.id).where('kind', '=', kind)
  const hasActed = await earlier.where('state', '=', 'started').limit(1).executeTakeFirst()
  const noun = kind === 'act' ? 'run' : 'deletion'
  return [
    ...(isTrusted ? [] : [hasActed ? `First ${noun} since the policy was changed` : `First ${noun} of the policy`]),
    ...(isTrusted && !dueAt ? ['Started by hand'] : []),
    ...(policy.needsSecondPerson ? ['Each run needs two administrators'] : []),
  ]
}

/** A person refused, or did not allow, to delete files of a run before, or put some back: each later deletion waits. */
async function reasonsOfRefusal(trx: Trx, ofRun: number): Promise<string[]> {
  const { undoJobs } = await findRun(trx, ofRun)
  const earlier = trx.selectFrom('policyRuns').select('state').distinct().where('ofRun', '=', ofRun)
  const states = (await earlier.execute()).map(({ state }) => state)
  return [
    ...(states.includes('declined') ? ['An earlier deletion of these files was declined'] : []),
    ...(states.includes('expired') ? ['An earlier deletion of these files was not approved'] : []),
    ...(undoJobs.length > 0 ? ['Files of this run were put back from quarantine'] : []),
  ]
}

/** Starts what a run does, in the transaction that records it. Throws 409 for a deletion while another job works on its files. */
export async function startRun(
  services: Services,
  trx: Trx,
  policy: PolicyRow,
  run: RunRow,
  by: Actor,
  now: Date,
): Promise<RunRow> {
  const other = run.ofRun === null ? undefined : await openJob(trx, await findRun(trx, run.ofRun))
  if (other) conflict(`Job ${other} works on the quarantine of this run. Wait until it has ended.`, 'open')
  const jobId = await startJob(services, trx, policy, run)
  const inQuarantine = run.kind === 'act' && policy.action.kind === 'quarantine'
  return changeRun(trx, policy, by, 'PolicyRunStarted', {
    id: run.id,
    state: 'started',
    reasons: [],
    jobId,
    inQuarantine,
    startedAt: now,
    deleteAfterDays: inQuarantine ? daysInQuarantine(policy.action) : null,
  })
}

/** Returns the number of the job. Asking the owners has none. */
async function startJob(services: Services, trx: Trx, policy: PolicyRow, run: RunRow): Promise<number | null> {
  const { action, search } = policy
  const selection = run.selectionId ?? 0
  const by = policyActor(policy)
  if (run.kind === 'delete' || requestOf(action, search)) return startPlanIn(services, trx, selection, by, policy.id)
  if (action.kind !== 'tag') return null
  const tagging = { tags: [action.tag], remove: false, isDirectory: false, ofSelection: selection }
  return queueTaggingIn(trx, TagPayload.parse({ ...search, ...tagging }), by)
}

const closings = { declined: 'PolicyRunDeclined', expired: 'PolicyRunExpired' } as const

/** Ends the waiting runs of a policy, or some of them. */
export async function closeWaiting(
  trx: Trx,
  policy: { id: number; name: string },
  by: Actor,
  { state, reason, ids }: { state: RunState & keyof typeof closings; reason: string; ids?: number[] },
): Promise<number> {
  const waiting = trx
    .selectFrom('policyRuns')
    .select('id')
    .where('policyId', '=', policy.id)
    .where('state', '=', 'waiting')
  const rows = await (ids ? waiting.where('id', 'in', ids) : waiting).orderBy('id').forUpdate().execute()
  for (const { id } of rows) await changeRun(trx, policy, by, closings[state], { id, state, reasons: [reason] })
  return rows.length
}

/**
 * Takes the trust from all policies, as after a restore: what people changed, declined or put back since the backup is unknown. Waiting runs expire,
 * and due times that are past are left out.
 */
export async function distrustPolicies(trx: Trx, reason: string, now: Date): Promise<void> {
  for (const policy of await trx.selectFrom('policies').selectAll().orderBy('id').execute()) {
    await closeWaiting(trx, policy, system, { state: 'expired', reason })
    const due = dueColumns(policy.cron === null ? null : { cron: policy.cron, paused: policy.paused }, now)
    const changed = { ...due, trusted: false, trustsDeletion: false }
    await trx.updateTable('policies').set(changed).where('id', '=', policy.id).execute()
  }
}
