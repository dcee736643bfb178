import { sql } from 'kysely'
import { configured } from '#server/access/configurations/index.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { dueBy, runWhenDue } from '#server/platform/dueTimes.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { type ItemLoop, newItemLoop, runEvery, type Running } from '#server/platform/runEvery.ts'
import { inTurn, type TaskHandlers } from '#server/workers/tasks/index.ts'
import { allPaused, arePaused, openState } from './approveRun.ts'
import { doNothing, planAct, type PlannedRun, policyActor } from './planRun.ts'
import type { PolicyRow } from './policyRow.ts'
import { isQuiet } from './quietHours.ts'
import { openRun } from './runs.ts'
import { saveRun } from './saveRun.ts'
import { failedTending, forgetOldRuns, tendRuns } from './tendRuns.ts'

const failedRun = 'could not run a policy'
/** Milliseconds between checks of waiting and started runs. */
const tendEveryMs = 10_000
const forgetEveryMs = 3_600_000
const quietMs = 60_000

/** Runs due policies and tends their runs; each due time once over all servers. */
export function startPolicies(platform: Platform, handlers: TaskHandlers, now = () => new Date()): Running {
  const { log } = platform
  const each = newItemLoop(log, failedRun)
  const tending = newItemLoop(log, failedTending)
  const parts = [
    runWhenDue(
      platform,
      {
        table: 'policies',
        work: (at) => runDue(platform, at, each),
        correctRecords: correctRuns,
        failed: 'could not run due policies, will retry',
      },
      now,
    ),
    runEvery(
      tendEveryMs,
      () => tendRuns(platform, handlers, now(), tending),
      'could not tend the runs of policies',
      log,
      quietMs,
    ),
    runEvery(forgetEveryMs, () => forgetOldRuns(platform), 'could not drop old runs of policies', log, quietMs),
  ]
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) }
}

/** Runs the policies that are due at a moment, and returns their number; none while the clock has jumped. */
export async function runDue(
  platform: Platform,
  now: Date,
  each: ItemLoop = newItemLoop(platform.log, failedRun),
): Promise<number> {
  const { db, live } = platform
  const isDue = () => db.selectFrom('policies').selectAll().where('nextDueAt', '<=', now).orderBy('nextDueAt').execute()
  let ran = 0
  const run = async () => {
    const due = (await isDue()).filter(({ quiet }) => !isQuiet(quiet, now))
    await each(
      due,
      ({ id }) => `policy ${id}`,
      async (policy) => void ((await runPolicy(platform, policy, now)) && ran++),
    )
  }
  // Planning may take long. One server at a time does it; the claim below is what lets no time run twice.
  if ((await isDue()).length > 0)
    await whileClockIsPlausible(db, async () => void (await inTurn(db, 'policies', run)), now)
  if (ran > 0) live({ type: 'changed', topics: ['policies'] })
  return ran
}

/**
 * Plans a due run, and then stores it, starts it and moves the due time on in one transaction. If this process dies in between, the time is
 * still due. False if another server ran it, or the policy was changed while it was planned: it is still due then.
 */
export async function runPolicy(platform: Platform, policy: PolicyRow, now: Date): Promise<boolean> {
  const planned = (await refusalOf(platform, policy)) ?? (await planAct(platform, policy, now))
  return inTransaction(platform.db, (trx) => claimDue(platform, trx, policy, planned, now))
}

async function refusalOf({ db }: Platform, { id }: PolicyRow): Promise<PlannedRun | undefined> {
  if (await arePaused(db)) return doNothing(allPaused)
  const open = await openRun(db, id, 'act')
  return open && doNothing(`Run ${open.id} ${openState(open)}`)
}

async function claimDue(
  platform: Platform,
  trx: Trx,
  { id, revision }: PolicyRow,
  planned: PlannedRun,
  now: Date,
): Promise<boolean> {
  const row = trx.selectFrom('policies').selectAll().where('id', '=', id).where('nextDueAt', '<=', now)
  const policy = await row.where('revision', '=', revision).forUpdate().skipLocked().executeTakeFirst()
  if (!policy?.nextDueAt || policy.cron === null) return false
  const catchesUp = policy.quiet !== null || (await configured(trx, 'catchUpMissedRuns')) === 'true'
  const { run, missed, next } = dueBy(policy.cron, policy.nextDueAt, now, catchesUp)
  await trx.updateTable('policies').set({ nextDueAt: next, dueAfter: now }).where('id', '=', id).execute()
  const dueAt = run ?? missed
  if (!dueAt || (await hasRun(trx, id, dueAt))) return false
  const late = run ? undefined : doNothing('Missed by more than an hour while the server was down')
  const refused = late ?? (await refusalOf({ ...platform, db: trx }, policy)) ?? planned
  await saveRun(platform, trx, policy, refused, { kind: 'act', dueAt, by: policyActor(policy), now })
  return true
}

/** A time that already ran, before the clock was set back, does not run again. */
async function hasRun(trx: Trx, policyId: number, dueAt: Date): Promise<boolean> {
  const runs = trx.selectFrom('policyRuns').select('id').where('policyId', '=', policyId).where('kind', '=', 'act')
  return (await runs.where('dueAt', '=', dueAt).executeTakeFirst()) !== undefined
}

/** Runs that a clock recorded while it was ahead count as of now, each at a moment of its own. */
async function correctRuns(trx: Trx, after: Date, now: Date): Promise<void> {
  await sql`UPDATE policy_runs SET at = least(at, ${now}), settled_at = least(settled_at, ${now}), started_at = least(started_at, ${now}),
      counted_at = CASE WHEN counted_at <= ${after} THEN counted_at END,
      due_at = CASE WHEN due_at > ${after} THEN ${now}::timestamptz - id % 1000000 * interval '1 microsecond' ELSE due_at END
    WHERE greatest(at, due_at, started_at, settled_at, counted_at) > ${after}`.execute(trx)
}
