import { sql } from 'kysely'
import { may } from '#events/contract/needs.ts'
import type { PageQuery } from '#events/contract/page.ts'
import {
  type DataSource,
  invalidName,
  type ListedReport,
  type Report,
  type ShownSource,
} from '#events/reports/templates.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import { today } from '#server/platform/days.ts'
import { shownTimes } from '#server/platform/dueTimes.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { rolledTo } from './rolledDates.ts'
import { shownCheck } from './runs/checks.ts'
import { failedRuns, figuresOf, jobsOfReports, lastRuns } from './runs/readRuns.ts'
import { showsReport } from './reportLimits.ts'
import { shownWebhook } from './reportWebhook.ts'
import { namesOf } from './sourceNames.ts'

const lastEnd = sql`(SELECT max(ended_at) FROM report_runs
  WHERE template_id = report_templates.id AND indexing_date IS NOT NULL)`
const sortable = { name: textOrder('name'), type: sql`type`, lastExecutionDate: lastEnd }

const rowsOf = (db: Db) =>
  db
    .selectFrom('reportTemplates')
    .select([
      'id',
      'name',
      'type',
      'tags',
      'retention',
      'createdBy',
      'cron',
      'paused',
      'nextDueAt',
      'parameters',
      'daysAsOf',
    ])
    .select(['checks', 'delivery', 'webhook', 'webhookUser'])
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

type Reader = Pick<Caller, 'id' | 'scope'>

/** A page of reports, each with the figures of its last run and its newest jobs. */
export async function listReports(db: Db, query: PageQuery, by: Reader) {
  const page = await listPage(db, rowsOf(db).where(showsReport(by)), query, { sortable, sort: 'name' })
  return { ...page, elements: await asListed(db, page.elements as Row[], by) }
}

/** A report with all fields; relative dates are those of today, on which an edit saves them. Throws 404. */
export async function findReport(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  id: number,
  by: Caller,
): Promise<Report> {
  const row =
    (await rowsOf(db).where('id', '=', id).where(showsReport(by)).executeTakeFirst()) ?? notFound('report', id)
  const [listed] = await asListed(db, [row], by)
  const { references, comparison, searchQueryNode, rollingDates } = rolledTo(today(), row.parameters, row.daysAsOf)
  const nameOf = await namesOf(db, [...references, ...comparison], by.scope)
  // Someone without limits may have added it, with a folder that the owner doesn't see.
  const shown = (source: DataSource): ShownSource => {
    const volumeName = nameOf(source)
    const isHidden = by.scope !== 'everything' && volumeName === invalidName
    return { ...source, volumeName, ...(isHidden && { path: '/' }) }
  }
  const { webhook, ...webhookState } = await shownWebhook({ db, config }, row, by)
  return {
    ...(listed as ListedReport),
    parameters: {
      references: references.map(shown),
      comparison: comparison.map(shown),
      searchQueryNode,
      rollingDates,
    },
    checks: row.checks,
    delivery: may(by.roles, 'entries.tag') ? { ...row.delivery, webhook } : null,
    ...webhookState,
  }
}

async function asListed(db: Db, rows: Row[], by: Reader): Promise<ListedReport[]> {
  const ids = rows.map(({ id }) => id)
  const [runs, jobs] = [await lastRuns(db, ids, by), await jobsOfReports(db, ids, 10, by)]
  const failed = await failedRuns(db, ids, by)
  return rows.map(({ id, name, type, tags, retention, createdBy, cron, paused, nextDueAt }) => {
    const run = runs.get(id)
    return {
      id,
      name,
      type,
      tags,
      retention,
      createdBy,
      lastExecutionDate: run?.endedAt?.toISOString() ?? null,
      jobs: jobs.get(id) ?? [],
      ...figuresOf(run),
      ...(run?.limits && { isLimited: true as const }),
      reportTag: run?.reportTag ?? null,
      indexingDate: run?.indexingDate ?? null,
      check: shownCheck(run, failed.get(id)),
      schedule: cron === null ? null : { cron, paused },
      nextRuns: cron === null ? [] : shownTimes(cron, nextDueAt),
    }
  })
}
