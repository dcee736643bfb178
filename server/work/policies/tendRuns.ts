import { sql } from 'kysely'
import { type Job, isOpen } from '#events/jobs/events.ts'
import { endedStatuses } from '#events/jobs/states.ts'
import { streamNames } from '#events/streams.ts'
import { readClock } from '#server/platform/clock.ts'
import { deleteEvents, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { Problem } from '#server/platform/problem.ts'
import { type ItemLoop, newItemLoop } from '#server/platform/runEvery.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { controlJob, inTurn, type TaskHandlers } from '#server/workers/tasks/index.ts'
import { mayHaveQuarantined } from '#server/work/actions/index.ts'
import { arePaused, isExpired, lockRun, startIfApproved } from './approveRun.ts'
import { notifyAdministrators } from './notifyAdministrators.ts'
import { keptSince } from './keptSince.ts'
import { endOfLinks } from './owners/index.ts'
import { faultsOfPlan, planDeletion, policyActor } from './planRun.ts'
import { faultOfAuthor, lockPolicy, type PolicyRow } from './policyRow.ts'
import { isQuiet } from './quietHours.ts'
import { deletesAt, findRun, openJob, openRun, type RunRow } from './runs.ts'
import { closeWaiting, saveRun } from './saveRun.ts'
import { saveSavings } from './savings.ts'

export const failedTending = 'could not tend a run of a policy'
const nameOf = ({ id }: { id: number }): string => `run ${id}`

/**
 * Holds jobs in quiet hours and while policies are paused, expires old plans, starts approved ones after quiet hours, stores the savings of ended
 * jobs, and plans deletions. Returns true if anything changed.
 */
export async function tendRuns(
  platform: Platform,
  handlers: TaskHandlers,
  now: Date,
  each: ItemLoop = newItemLoop(platform.log, failedTending),
): Promise<boolean> {
  const changed = await inTurn(platform.db, 'runs of policies', async () => {
    const held = await holdJobs(platform, handlers, now)
    if (!(await readClock(platform.db, now)).isPlausible) return held > 0
    const moved = [
      await settleRuns(platform, now, each),
      await closeOrStart(platform, now, each),
      await planDeletions(platform, now, each),
    ]
    return held + moved.reduce((sum, each) => sum + each, 0) > 0
  })
  if (changed) platform.live({ type: 'changed', topics: ['policies'] })
  return changed ?? false
}

/** Pauses the jobs of policies in their quiet hours and while all are paused, and resumes them afterwards. Those that a person paused stay. */
async function holdJobs({ db }: Platform, handlers: TaskHandlers, now: Date): Promise<number> {
  const open = await db
    .selectFrom('policyRuns')
    .innerJoin('policies', 'policies.id', 'policyId')
    .innerJoin('jobs', 'jobs.id', 'jobId')
    .select(['policyRuns.id', 'jobs.id as jobId', 'jobs.status', 'isHeld', 'quiet', 'policies.id as policyId'])
    .where('state', '=', 'started')
    .where('jobs.status', 'not in', endedStatuses)
    .orderBy('policyRuns.id')
    .execute()
  const isPaused = open.length > 0 && (await arePaused(db))
  let changed = 0
  for (const { id, jobId, status, isHeld, quiet, policyId } of open) {
    const shouldHold = isPaused || isQuiet(quiet, now)
    if (shouldHold ? status === 'WAITING' : !isHeld) continue
    changed++
    // A job that is held twice is paused once; one that is paused without being marked would never continue.
    const mark = (isHeld: boolean) => db.updateTable('policyRuns').set({ isHeld }).where('id', '=', id).execute()
    const order = { wanted: shouldHold ? 'WAITING' : 'AVAILABLE', by: policyActor({ id: policyId }) } as const
    if (shouldHold) await mark(true)
    if (shouldHold || status === 'WAITING') await controlJob({ db }, handlers, jobId, order).catch(unlessEnded)
    if (!shouldHold) await mark(false)
  }
  return changed
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

/** Stores what ended jobs have freed, reports failed ones, and counts again what is in quarantine. */
async function settleRuns(platform: Platform, now: Date, each: ItemLoop): Promise<number> {
  const { db } = platform
  const started = db.selectFrom('policyRuns').selectAll().where('state', '=', 'started').where('settledAt', 'is', null)
  let settled = 0
  await each(await started.orderBy('id').execute(), nameOf, async (run) => {
    const job = run.jobId === null ? undefined : await findJob(db, run.jobId)
    if (job ? !isOpen(job) : run.jobId !== null || (await isAnswered(db, run, now)))
      settled += await settleRun(platform, run, job, now)
  })
  return settled + (await countAgain(platform, now, each))
}

/** The owners had their time to answer. */
async function isAnswered(db: Platform['db'], { id }: RunRow, now: Date): Promise<boolean> {
  const end = await endOfLinks(db, id)
  return end === null || now > end
}

async function settleRun(platform: Platform, run: RunRow, job: Job | undefined, now: Date): Promise<number> {
  return inTransaction(platform.db, async (trx) => {
    const policy = await lockPolicy(trx, run.policyId)
    const endedAt = job ? new Date(job.updatedAt) : now
    // A job that ended while the clock was wrong counts from now: files are deleted some days after this.
    const settledAt = endedAt < run.at || endedAt > now ? now : endedAt
    const update = trx.updateTable('policyRuns').set({ settledAt }).where('id', '=', run.id)
    const { numUpdatedRows } = await update.where('settledAt', 'is', null).executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return 0
    if (job) await saveSavings(platform, trx, policy, run, job)
    if (job && failures.includes(job.status))
      await notifyAdministrators(trx, policy, run, 'failed', [`Job ${job.id} ended with ${job.status}`])
    return 1
  })
}

const failures: readonly string[] = ['WARNING', 'FAILURE', 'SCANNER_ERROR']

/** Looks whether runs still have files in quarantine, after jobs on them have changed. */
async function countAgain(platform: Platform, now: Date, each: ItemLoop): Promise<number> {
  const { rows } = await sql<{ id: number; jobId: number }>`
    SELECT run.id, run.job_id AS "jobId" FROM policy_runs AS run CROSS JOIN LATERAL (
      SELECT max(updated_at) AS at FROM jobs WHERE status = ANY(${endedStatuses}) AND jobs.id = ANY(
        run.undo_jobs || run.job_id || ARRAY(SELECT later.job_id FROM policy_runs AS later WHERE later.of_run = run.id))) AS newest
    WHERE in_quarantine AND settled_at IS NOT NULL AND newest.at > coalesce(counted_at, '-infinity') ORDER BY run.id`.execute(
    platform.db,
  )
  await each(rows, nameOf, async ({ id, jobId }) => {
    const inQuarantine = await mayHaveQuarantined(platform, jobId)
    await platform.db.updateTable('policyRuns').set({ inQuarantine, countedAt: now }).where('id', '=', id).execute()
  })
  return rows.length
}

/** Expires plans that no one approved in time, and starts approved ones that waited for quiet hours or for the emails to owners. */
async function closeOrStart(platform: Platform, now: Date, each: ItemLoop): Promise<number> {
  const { db } = platform
  const waiting = await db.selectFrom('policyRuns').selectAll().where('state', '=', 'waiting').orderBy('id').execute()
  const isPaused = waiting.length > 0 && (await arePaused(db))
  let changed = 0
  await each(waiting, nameOf, async (run) => {
    const { id, approvals, neededApprovals } = run
    const policy = await db.selectFrom('policies').selectAll().where('id', '=', run.policyId).executeTakeFirst()
    if (!policy) return
    const isApproved = approvals.length >= neededApprovals
    const canStart = isApproved && !isPaused && !isQuiet(policy.quiet, now)
    const late = isApproved ? 'It could not start within two days of its plan' : 'No one approved it within two days'
    const reason = isExpired(run, now) ? late : canStart ? await faultOf(platform, policy, run, now) : undefined
    if (reason)
      changed += await inTransaction(db, async (trx) => {
        const { policy } = await lockRun(trx, id)
        return closeWaiting(trx, policy, policyActor(policy), { state: 'expired', reason, ids: [id] })
      })
    else if (canStart) changed += await startIfApproved(platform, id, now)
  })
  return changed
}

/** The reason why a run with its approvals may not start. */
async function faultOf(
  platform: Platform,
  policy: PolicyRow,
  { kind, selectionId }: RunRow,
  now: Date,
): Promise<string | undefined> {
  const fault = await faultOfAuthor(platform.db, policy)
  if (fault) return fault
  if (kind === 'delete') return (await keptSince(platform, selectionId ?? 0))[0]
  return (await faultsOfPlan(platform, selectionId ?? 0, now))[0]
}

/** Days after which a deletion that was declined, failed or not approved is planned again. */
const askAgainDays = 7

/** Plans the deletion of files that were in quarantine for the days of their policy: one run of a policy at a time. */
async function planDeletions(platform: Platform, now: Date, each: ItemLoop): Promise<number> {
  const { db } = platform
  const runs = await db
    .selectFrom('policyRuns')
    .innerJoin('policies', 'policies.id', 'policyId')
    .selectAll('policyRuns')
    .select(['action', 'quiet'])
    .where('inQuarantine', '=', true)
    .where('policies.paused', '=', false)
    .orderBy('policyRuns.id')
    .execute()
  if (runs.length === 0 || (await arePaused(db))) return 0
  let planned = 0
  await each(runs, nameOf, async (run) => {
    const dueAt = deletesAt(run.action, run)
    if (!dueAt || dueAt > now || isQuiet(run.quiet, now) || (await isPlanned(db, run, now))) return
    const policy = await db.selectFrom('policies').selectAll().where('id', '=', run.policyId).executeTakeFirst()
    if (!policy) return
    const deletion = await planDeletion(platform, policy, run)
    planned += await inTransaction(db, async (trx) => {
      const { revision } = await lockPolicy(trx, policy.id)
      const { undoJobs } = await findRun(trx, run.id)
      // Files that are put back since the plan are still in its list.
      if (undoJobs.length !== run.undoJobs.length) return 0
      if (revision !== policy.revision || (await isPlanned(trx, run, now))) return 0
      await saveRun(platform, trx, policy, deletion, {
        kind: 'delete',
        dueAt,
        ofRun: run.id,
        by: policyActor(policy),
        now,
      })
      return 1
    })
  })
  return planned
}

/** Also while a job puts files of the run back: what is on its way is not deleted. */
async function isPlanned(db: Platform['db'] | Trx, run: RunRow, now: Date): Promise<boolean> {
  const { id, policyId } = run
  if ((await openRun(db, policyId, 'delete')) || (await openJob(db, run))) return true
  const earlier = db.selectFrom('policyRuns').select('id').where('ofRun', '=', id)
  const since = new Date(now.getTime() - askAgainDays * 86_400_000)
  return (await earlier.where('at', '>', since).executeTakeFirst()) !== undefined
}

/** Runs of a policy that are kept, also in the event log. Those with files in quarantine stay. */
const keptRuns = 1_000

/** Drops older runs, with their events. */
export async function forgetOldRuns({ db }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: number; policyId: number }>`
      DELETE FROM policy_runs WHERE id IN (
        SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY policy_id ORDER BY id DESC) AS place FROM policy_runs) AS numbered
        WHERE place > ${keptRuns}) AND NOT in_quarantine AND state != 'waiting' AND (state != 'started' OR settled_at IS NOT NULL)
      RETURNING id, policy_id AS "policyId"`.execute(trx)
    for (const { id, policyId } of rows)
      await deleteEvents(trx, 'policy', (events) =>
        events.and([
          events('stream', '=', streamNames.policy(policyId)),
          events(sql`data -> 'run' ->> 'id'`, '=', String(id)),
        ]),
      )
  })
}
