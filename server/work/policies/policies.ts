import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { Policy, PolicyDraft } from '#events/policies/policies.ts'
import { streamNames } from '#events/streams.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { dueColumns, shownTimes } from '#server/platform/dueTimes.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform, Stores } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { checkDraft } from './checkDraft.ts'
import { draftOf, lockPolicy } from './policyRow.ts'
import { heldByPolicy } from './quarantined.ts'
import { openRun } from './runs.ts'
import { closeWaiting } from './saveRun.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>

const columnsOf = ({ search, action, limits, quiet, ...draft }: PolicyDraft, by: Caller) => ({
  ...draft,
  search: JSON.stringify(search),
  action: JSON.stringify(action),
  limits: JSON.stringify(limits),
  quiet: quiet && JSON.stringify(quiet),
  authorId: by.id,
})

/** Adds a policy, whose first run waits for approval. Throws 400 for a name that exists, and for what can't be searched or done. */
export async function createPolicy(
  services: Services,
  { trx, by, record }: Change<Caller>,
  draft: PolicyDraft,
  now = new Date(),
): Promise<number> {
  await checkDraft(services, by, draft, now)
  await lockNames(trx)
  await checkUnique(trx.selectFrom('policies'), { value: draft.name })
  const row = { ...columnsOf(draft, by), ...dueColumns(timesOf(draft), now), createdBy: by.name }
  const { id } = await trx.insertInto('policies').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.policy(id), { after: draft })
  return id
}

/**
 * Changes a policy. After a change of its search, days or action, its waiting runs are declined, and the next one needs approval, as after one of its
 * limits. A time that is already due stays due, unless the times change.
 */
export async function updatePolicy(
  services: Services,
  { trx, by, record }: Change<Caller>,
  id: number,
  draft: PolicyDraft,
  now = new Date(),
): Promise<void> {
  const row = await lockPolicy(trx, id)
  const before = draftOf(row)
  await checkDraft(services, by, draft, now, before)
  await lockNames(trx)
  await checkUnique(trx.selectFrom('policies'), { value: draft.name, own: id })
  const areTimesKept = draft.cron === before.cron && draft.paused === before.paused
  const isSame = isDeepStrictEqual(taken(draft), taken(before))
  const changed = {
    ...columnsOf(draft, by),
    ...(!areTimesKept && dueColumns(timesOf(draft), now)),
    ...(!isSame && { revision: row.revision + 1 }),
    ...(!(isSame && isDeepStrictEqual(bounds(draft), bounds(before))) && { trusted: false, trustsDeletion: false }),
  }
  await trx.updateTable('policies').set(changed).where('id', '=', id).execute()
  await record(streamNames.policy(id), { before, after: draft })
  if (!isSame) await closeWaiting(trx, row, by, { state: 'declined', reason: 'The policy was changed' })
}

/** The parts of a policy that a person approves, and those that let it act without one. */
const taken = ({ search, untouchedDays, action }: PolicyDraft) => ({ search, untouchedDays, action })
const bounds = ({ limits, needsSecondPerson }: PolicyDraft) => ({ limits, needsSecondPerson })

/** Deletes a policy and its runs. Throws 409 while it has an open run or files in quarantine. */
export async function removePolicy({ trx, record }: Change<Caller>, id: number): Promise<void> {
  const row = await lockPolicy(trx, id)
  const open = (await openRun(trx, id, 'act')) ?? (await openRun(trx, id, 'delete'))
  if (open?.state === 'waiting') conflict(`Run ${open.id} of ${row.name} waits for approval. Decline it first.`)
  if (open) conflict(`Job ${open.jobId} of ${row.name} has not ended. Wait until it has, or cancel it.`)
  const kept = trx.selectFrom('policyRuns').select('id').where('policyId', '=', id).where('inQuarantine', '=', true)
  const run = await kept.orderBy('id').limit(1).executeTakeFirst()
  if (run)
    conflict(`Run ${run.id} of ${row.name} has files in quarantine. Put them back, or wait until they are deleted.`)
  await trx.deleteFrom('policies').where('id', '=', id).execute()
  await record(streamNames.policy(id), { before: draftOf(row) })
}

/** Of two policies with one name that are saved at once, the second sees the first. */
const lockNames = (trx: Trx) => sql`LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE`.execute(trx)

const timesOf = ({ cron, paused }: PolicyDraft) => (cron === null ? null : { cron, paused })

const sortable = { name: textOrder('policies.name'), id: sql`policies.id` }

/** Policies by name, each with its newest run and what it has in quarantine. */
export async function listPolicies(stores: Stores, query: PageQuery) {
  const held = await heldByPolicy(stores)
  const rows = stores.db
    .selectFrom('policies')
    .selectAll()
    .select((of) =>
      of
        .selectFrom('policyRuns')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .whereRef('policyId', '=', 'policies.id')
        .where('state', '=', 'waiting')
        .as('waiting'),
    )
    .select(newestRun.as('lastRun'))
  return listPage(
    stores.db,
    rows,
    query,
    { sortable, sort: 'name', tie: 'policies.id' },
    ({ waiting, lastRun, ...row }): Policy => ({
      ...draftOf(row),
      id: row.id,
      createdBy: row.createdBy,
      nextRuns: row.cron === null ? [] : shownTimes(row.cron, row.nextDueAt),
      waiting: waiting ?? 0,
      lastRun: lastRun && { ...lastRun, at: new Date(lastRun.at).toISOString() },
      ...(held && { quarantine: held(row.id) }),
    }),
  )
}

const newestRun = sql<Policy['lastRun']>`(
  SELECT json_build_object('at', at, 'state', state, 'jobStatus', jobs.status) FROM policy_runs LEFT JOIN jobs ON jobs.id = job_id
  WHERE policy_id = policies.id ORDER BY policy_runs.id DESC LIMIT 1)`
