import { sql } from 'kysely'
import { Criteria } from '#events/search/criteria.ts'
import { type ReportChange, ReportDelivery, type ReportDraft, type ReportSchedule } from '#events/reports/templates.ts'
import { streamNames } from '#events/streams.ts'
import { cancelJob, changeJob } from '#server/workers/jobs/index.ts'
import { checkCron } from '#server/platform/cron.ts'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import { today } from '#server/platform/days.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { change, type Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { checkExpressions } from '#server/questions/search/index.ts'
import { acceptAdded } from '#server/messages/notifications/index.ts'
import { openRunOf } from './launchReport.ts'
import { showsReport } from './reportLimits.ts'
import { changedWebhook, sealedWebhook } from './reportWebhook.ts'
import { dropRuns } from './runs/foundEntries.ts'
import { undoRun } from './runs/undoRun.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'config'>
type NamedTemplate = { id: number; name: string }

/** Creates a report. Throws 400 for a duplicate name, and for an invalid query or schedule. */
export async function createReport(
  stores: Stores,
  { trx, by, record }: Change<Caller>,
  draft: ReportDraft,
): Promise<NamedTemplate> {
  await checkDraft(stores, draft)
  await sql`LOCK TABLE report_templates IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
  await checkStored(trx, by, 'reportsPerUser', trx.selectFrom('reportTemplates').where('ownerId', '=', by.id))
  await checkUnique(trx.selectFrom('reportTemplates').where(showsReport(by)), { value: draft.name })
  const delivery = draft.delivery ?? ReportDelivery.parse({})
  await acceptAdded(trx, by, delivery.addresses)
  const row = trx.insertInto('reportTemplates').values({
    name: draft.name,
    ...columnsOf(draft),
    ...scheduleColumns(draft.schedule ?? null),
    ...(await sealedWebhook(stores.config, by, delivery.webhook)),
    delivery: storedDelivery(delivery),
    checks: JSON.stringify(draft.checks ?? []),
    createdBy: by.name,
    ownerId: by.id,
  })
  const made = await row.returning(['id', 'name']).executeTakeFirstOrThrow()
  await record(streamNames.report(made.id), { after: audited(draft) })
  return made
}

/** Changes a report; omitted fields stay unchanged. Throws as `createReport` does, 404, and 400 for another name. */
export async function updateReport(
  stores: Stores,
  { trx, by, record }: Change<Caller>,
  id: number,
  draft: ReportChange,
): Promise<NamedTemplate> {
  const before = await lockReport(trx, id, by)
  if (draft.name !== undefined && draft.name !== before.name) invalid('name', 'cannot be changed')
  await checkDraft(stores, draft, before.cron)
  const { schedule, delivery, checks } = draft
  if (delivery) await acceptAdded(trx, by, delivery.addresses, before.delivery.addresses)
  const written = {
    ...columnsOf(draft),
    ...(schedule !== undefined && scheduleColumns(schedule)),
    ...(await changedWebhook({ ...stores, db: trx }, by, draft, before)),
    ...(delivery && { delivery: storedDelivery(delivery) }),
    ...(checks && { checks: JSON.stringify(checks) }),
  }
  await trx.updateTable('reportTemplates').set(written).where('id', '=', id).execute()
  const { name, type, tags, retention, parameters } = before
  const after = audited({ ...draft, name })
  await record(streamNames.report(id), { before: { name, type, tags, retention, parameters }, after })
  return { id, name }
}

/**
 * Deletes a report and the results of its runs; the tags stay, except those of an open run, which is cancelled. Throws
 * 404.
 */
export async function removeReport(platform: Platform, id: number, by: Caller): Promise<void> {
  const { ended, open } = await change(platform, by, ['reports'], async ({ trx, record }) => {
    const { name, type, tags } = await lockReport(trx, id, by)
    const open = await openRunOf(trx, id)
    const runs = await trx.selectFrom('reportRuns').select('id').where('templateId', '=', id).execute()
    await trx.deleteFrom('reportTemplates').where('id', '=', id).execute()
    // Rows of reports are locked before the log, in the same order as at the end of a run.
    const at = new Date().toISOString()
    if (open) await changeJob(trx, open.jobId, by, (job) => cancelJob(job, by.name, at))
    await record(streamNames.report(id), { before: { name, type } })
    return { ended: runs.map((run) => run.id).filter((run) => run !== open?.id), open: open && { ...open, tags } }
  })
  await dropRuns(platform.clickhouse, ended)
  // A running one is undone by its worker when that notices the cancellation.
  if (open?.reportTag && open.tagVersion && open.status !== 'RUNNING')
    await undoRun(platform, { ...open, reportTag: open.reportTag, tagVersion: open.tagVersion })
}

async function lockReport(trx: Trx, id: number, by: Caller) {
  const row = trx
    .selectFrom('reportTemplates')
    .select(['name', 'type', 'tags', 'retention', 'parameters'])
    .select(['webhook', 'webhookUser', 'delivery', 'cron', 'paused'])
    .where('id', '=', id)
    .where(showsReport(by))
  return (await row.forUpdate().executeTakeFirst()) ?? notFound('report', id)
}

async function checkDraft(
  { clickhouse }: Stores,
  { parameters, schedule }: ReportChange,
  storedCron: string | null = null,
): Promise<void> {
  const text = JSON.stringify(parameters)
  if (text.includes('\\u0000') || /\\ud[89a-f]/i.test(text))
    invalid('parameters', 'hold a character that cannot be stored')
  if (parameters.searchQueryNode) await checkExpressions(clickhouse, Criteria.parse(parameters.searchQueryNode))
  if (schedule) checkCron(schedule.cron, new Date(), storedCron)
}

const columnsOf = ({ type, tags, retention, parameters }: ReportChange) => ({
  type,
  tags,
  retention,
  parameters: JSON.stringify(parameters),
  daysAsOf: today(),
})

const scheduleColumns = (schedule: ReportSchedule | null) => ({
  ...(schedule ?? { cron: null, paused: false }),
  ...dueColumns(schedule, new Date()),
})

/** The address of a webhook is stored in columns of its own. */
const storedDelivery = ({ webhook: _, ...delivery }: ReportDelivery): string => JSON.stringify(delivery)

/** The record for the event log, without the address of a webhook. */
function audited({ delivery, ...draft }: ReportDraft) {
  if (!delivery) return draft
  const { addresses, when, webhook } = delivery
  return { ...draft, delivery: { addresses, when, webhook: webhook && new URL(webhook).origin } }
}
