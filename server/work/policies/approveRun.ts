import { maxPlanHours, type PolicyRun } from '#events/policies/runs.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'
import { planOfJob, startPlanIn } from '#server/work/actions/index.ts'
import { keptSince } from './keptSince.ts'
import { checkClock, leftOutOf, planAct, policyActor, staleScans } from './planRun.ts'
import { faultOfAuthor, lockPolicy, type PolicyRow } from './policyRow.ts'
import { askOwners } from './owners/index.ts'
import { isQuiet } from './quietHours.ts'
import { changeRun, findRun, openJob, openRun, readRun, type RunRow } from './runs.ts'
import { closeWaiting, saveRun, startRun } from './saveRun.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config' | 'live'>
const topics = ['policies'] as const

export const arePaused = async (db: Db | Trx): Promise<boolean> => (await configured(db, 'policiesPaused')) === 'true'
export const allPaused = 'All policies are paused'

/** Plans a run that a person approves. Throws 409 while a run of the policy is open, policies are paused, or the clock has jumped. */
export async function startByHand(
  services: Services,
  policyId: number,
  by: Caller,
  now = new Date(),
): Promise<PolicyRun> {
  await checkClock(services.db, now)
  const policy = await inTransaction(services.db, (trx) => checkedPolicy(trx, policyId))
  const planned = await planAct(services, policy, now)
  const id = await change(services, by, topics, async ({ trx }) => {
    const { revision } = await checkedPolicy(trx, policyId)
    if (revision !== policy.revision) conflict('The policy was changed meanwhile. Run it again.')
    return (await saveRun(services, trx, policy, planned, { kind: 'act', by, now })).id
  })
  return readRun(services, id)
}

async function checkedPolicy(trx: Trx, id: number): Promise<PolicyRow> {
  const policy = await lockPolicy(trx, id)
  if (await arePaused(trx)) conflict(`${allPaused}. Resume them first.`, 'paused')
  const open = await openRun(trx, id, 'act')
  if (open) conflict(`Run ${open.id} of ${policy.name} ${openState(open)}`, 'open')
  return policy
}

/** State of an open run, to follow its number: `waits for approval`. */
export const openState = ({ state, jobId }: { state: string; jobId: number | null }): string =>
  state === 'waiting'
    ? 'waits for approval'
    : jobId === null
      ? 'waits for the answers of owners'
      : `has not ended: it is job ${jobId}`

/**
 * Approves the list with a hash, and starts its job in the same transaction, unless it needs another approval or it is in quiet hours: then it
 * starts after them. Throws 409 for another list, a run that no longer waits, twice the same person, stale scans, and files that owners keep since.
 */
export async function approveRun(
  services: Services,
  runId: number,
  hash: string,
  by: Caller,
  now = new Date(),
): Promise<PolicyRun> {
  await checkClock(services.db, now)
  const { selectionId, kind } = await findRun(services.db, runId)
  const stale = kind === 'act' && selectionId !== null ? await staleScans(services, selectionId, now) : []
  const kept = selectionId === null ? [] : await keptSince(services, selectionId)
  await change(services, by, topics, async ({ trx }) => {
    const { run, policy } = await lockRun(trx, runId)
    if (run.state !== 'waiting') conflict(`Run ${runId} no longer waits for approval: it is ${run.state}`, 'state')
    if (await arePaused(trx)) conflict(`${allPaused}. Resume them first.`, 'paused')
    if (run.hash !== hash) conflict('The list of the run differs from the one you saw. Look at it again.', 'hash')
    if (isExpired(run, now)) conflict('The run is older than two days. Run the policy again.', 'expired')
    const fault = await faultOfAuthor(trx, policy)
    if (fault) conflict(fault, 'author')
    if (stale.length > 0) conflict(`${stale.join(' ')} Then run the policy again.`, 'stale')
    if (kept[0]) conflict(`${kept[0]} Decline the run: the next one leaves them out.`, 'kept')
    if (run.approvals.length >= run.neededApprovals) return
    if (run.approvals.some(({ userId }) => userId === by.id))
      conflict('You have approved this run already. Another administrator has to approve it, too.', 'same-person')
    const approvals = [...run.approvals, { userId: by.id, by: by.name, at: now.toISOString() }]
    const approved = await changeRun(trx, policy, by, 'PolicyRunApproved', { id: runId, approvals })
    if (approvals.length >= run.neededApprovals && policy.action.kind !== 'ask')
      await startApproved(services, trx, policy, approved, by, now)
  })
  await startIfApproved(services, runId, now, by)
  return readRun(services, runId)
}

/**
 * Starts a run that has its approvals but waits, such as for the end of quiet hours. The owners get their emails before that is recorded: sending them
 * again sends nothing more. Returns the number of started runs.
 */
export async function startIfApproved(services: Services, runId: number, now: Date, by?: Actor): Promise<number> {
  const before = await inTransaction(services.db, (trx) => lockRun(trx, runId))
  const isReady = ({ run, policy }: typeof before) =>
    run.state === 'waiting' && run.approvals.length >= run.neededApprovals && !isQuiet(policy.quiet, now)
  if (!isReady(before) || (await arePaused(services.db))) return 0
  const { run, policy } = before
  if (policy.action.kind === 'ask' && run.kind === 'act')
    await askOwners(services, { runId, selectionId: run.selectionId ?? 0, policy })
  return inTransaction(services.db, async (trx) => {
    const locked = await lockRun(trx, runId)
    if (!isReady(locked)) return 0
    await startApproved(services, trx, locked.policy, locked.run, by ?? policyActor(policy), now)
    return 1
  })
}

/** Starts a run with all its approvals, or says that it waits for the end of quiet hours. From now on, the policy is trusted. */
async function startApproved(
  services: Services,
  trx: Trx,
  policy: PolicyRow,
  run: RunRow,
  by: Actor,
  now: Date,
): Promise<void> {
  if (isQuiet(policy.quiet, now)) {
    const reasons = [`Approved, and starts after the quiet hours at ${policy.quiet?.to}`]
    await trx.updateTable('policyRuns').set({ reasons }).where('id', '=', run.id).execute()
    return
  }
  await startRun(services, trx, policy, run, by, now)
  const trust = run.kind === 'act' ? { trusted: true } : { trustsDeletion: true }
  await trx.updateTable('policies').set(trust).where('id', '=', policy.id).execute()
}

export const isExpired = ({ at }: Pick<RunRow, 'at'>, now: Date): boolean =>
  now.getTime() - at.getTime() > maxPlanHours * 3_600_000

/** Locks the policy of a run, and then the run. */
export async function lockRun(trx: Trx, id: number): Promise<{ run: RunRow; policy: PolicyRow }> {
  const policy = await lockPolicy(trx, (await findRun(trx, id)).policyId)
  return { policy, run: await findRun(trx, id) }
}

/** Declines a waiting run. Throws 409 for another. */
export async function declineRun(services: Services, runId: number, by: Caller): Promise<PolicyRun> {
  await change(services, by, topics, async ({ trx }) => {
    const { policy } = await lockRun(trx, runId)
    const declined = { state: 'declined' as const, reason: `Declined by ${by.name}`, ids: [runId] }
    if ((await closeWaiting(trx, policy, by, declined)) === 0)
      conflict(`Run ${runId} no longer waits for approval`, 'state')
  })
  return readRun(services, runId)
}

const noneOf = (paths: readonly string[]): string =>
  paths.length === 0 ? 'No file of the run is in quarantine' : 'None of these files is in quarantine'

/**
 * Puts files of a run back from quarantine, all or those with these paths, and returns the job. A deletion of the run that waits is declined. Throws
 * 409 if no such file is there, or a job already puts files back or deletes them.
 */
export async function undoRun(
  services: Services,
  runId: number,
  paths: readonly string[],
  by: Caller,
): Promise<number> {
  const { inQuarantine, jobId } = await findRun(services.db, runId)
  if (!inQuarantine || jobId === null) conflict(`Run ${runId} has no files in quarantine`, 'no-files')
  const plan = await planOfJob(services, 'putBack', jobId, by, paths)
  if (plan.files === 0) conflict(leftOutOf(plan, noneOf(paths)).join('. '), 'no-files')
  if (plan.missing > 0)
    conflict(
      `${plan.missing} of these files are not in quarantine. Load the list again, and select others.`,
      'no-files',
    )
  return change(services, by, topics, async ({ trx }) => {
    const { run, policy } = await lockRun(trx, runId)
    const other = await openJob(trx, run)
    if (other) conflict(`Job ${other} works on the quarantine of this run. Wait until it has ended.`, 'open')
    const deletions = await trx.selectFrom('policyRuns').select('id').where('ofRun', '=', runId).execute()
    const ids = deletions.map(({ id }) => id)
    const reason = 'Files were put back from quarantine'
    if (ids.length > 0) await closeWaiting(trx, policy, by, { state: 'declined', reason, ids })
    const undoJob = await startPlanIn(services, trx, plan.id, by, policy.id)
    await changeRun(trx, policy, by, 'PolicyRunUndone', { id: runId, undoJobs: [...run.undoJobs, undoJob] })
    return undoJob
  })
}
