import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { JobStatus } from '#events/jobs/states.ts'
import type { ReportRun } from '#events/reports/runs.ts'
import type { ReportFigures, ReportJob } from '#events/reports/templates.ts'
import { limitsKey } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { deliveriesOf } from '#server/messages/notifications/index.ts'
import { may } from '#events/contract/needs.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { shownRun, showsReport } from '#server/work/reports/reportLimits.ts'

type Reader = Pick<Caller, 'id' | 'scope'>

/** A run that its job ended without its own result; the job may no longer be stored. */
const status = sql<JobStatus>`coalesce(jobs.status, CASE report_runs.status WHEN 'NEW' THEN 'FAILURE' ELSE report_runs.status END)`

const runRows = (db: Db) =>
  db
    .selectFrom('reportRuns')
    .leftJoin('jobs', 'jobs.id', 'reportRuns.jobId')
    .selectAll('reportRuns')
    .select(status.as('status'))
export type RunRow = Awaited<ReturnType<ReturnType<typeof runRows>['execute']>>[number]

/** The last run with figures of each report. */
export async function lastRuns(db: Db, templateIds: number[], by: Reader): Promise<Map<number, RunRow>> {
  if (templateIds.length === 0) return new Map()
  const rows = runRows(db)
    .where('templateId', 'in', templateIds)
    .where('indexingDate', 'is not', null)
    .where('endedAt', 'is not', null)
    .distinctOn('templateId')
    .orderBy('templateId')
    .orderBy('reportRuns.id', 'desc')
  return new Map((await rows.execute()).map((run) => [run.templateId, shownRun(run, by)]))
}

export type FailedRun = { templateId: number; reason: string | null }

/** The last run of each report that failed since its last results. */
export async function failedRuns(db: Db, templateIds: number[], by: Reader): Promise<Map<number, FailedRun>> {
  if (templateIds.length === 0) return new Map()
  const rows = runRows(db)
    .where('templateId', 'in', templateIds)
    .where(({ or, eb }) => or([eb('indexingDate', 'is not', null), eb(status, '=', 'FAILURE')]))
    .distinctOn('templateId')
    .orderBy('templateId')
    .orderBy('reportRuns.id', 'desc')
  const newest = await rows.execute()
  return new Map(newest.filter((run) => run.indexingDate === null).map((run) => [run.templateId, shownRun(run, by)]))
}

/** The newest jobs of each report, at most `most` per report. */
export async function jobsOfReports(
  db: Db,
  templateIds: number[],
  most: number,
  { id: userId, scope }: Reader,
): Promise<Map<number, ReportJob[]>> {
  if (templateIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('reportRuns')
    .innerJoin('jobs', 'jobs.id', 'reportRuns.jobId')
    .select(['templateId', 'jobs.id', 'jobs.status', 'jobs.createdAt', 'jobs.startedAt', 'jobs.updatedAt'])
    .where('templateId', 'in', templateIds)
    .$if(scope !== 'everything', (own) => own.where('jobs.limits', '=', limitsKey(userId, scope)))
    .orderBy('jobs.id', 'desc')
    .execute()
  const jobs = rows.map(({ templateId, createdAt, startedAt, updatedAt, ...job }) => ({
    templateId,
    job: {
      ...job,
      createdAt: new Date(createdAt).toISOString(),
      startedAt: startedAt && new Date(startedAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
    },
  }))
  const grouped = Map.groupBy(jobs, ({ templateId }) => templateId)
  return new Map([...grouped].map(([id, of]) => [id, of.slice(0, most).map(({ job }) => job)]))
}

/** Throws 404. */
export async function listReportJobs(db: Db, id: number, by: Reader): Promise<ReportJob[]> {
  await checkReport(db, id, by)
  return (await jobsOfReports(db, [id], 100, by)).get(id) ?? []
}

/** A page of the runs of a report, newest first. Throws 404. */
export async function listRuns(db: Db, id: number, query: PageQuery, by: Reader & Pick<Caller, 'roles'>) {
  await checkReport(db, id, by)
  const sortable = { id: sql`report_runs.id`, endedAt: sql`report_runs.ended_at` }
  const order = { sortable, sort: 'id', direction: 'desc', tie: 'reportRuns.id' } as const
  const page = await listPage(db, runRows(db).where('templateId', '=', id), query, order, (run) =>
    asRun(shownRun(run, by)),
  )
  if (!may(by.roles, 'entries.tag')) return page
  const sent = await deliveriesOf(
    db,
    page.elements.map((run) => `${runKey(run.id)}-`),
  )
  const elements = page.elements.map((run) => ({
    ...run,
    deliveries: sent
      .filter(({ key }) => key.startsWith(`${runKey(run.id)}-`))
      .map(({ to, state, reason }) => ({ to, state, reason })),
  }))
  return { ...page, elements }
}

/** Start of the keys of all mails and webhooks about a run. */
export const runKey = (runId: number): string => `report-run-${runId}`

/** A run of a report. Throws 404. */
export async function findRun(db: Db, templateId: number, id: number, by: Reader): Promise<RunRow> {
  await checkReport(db, templateId, by)
  const row = runRows(db).where('templateId', '=', templateId).where('reportRuns.id', '=', id)
  return shownRun((await row.executeTakeFirst()) ?? notFound('run of the report', id), by)
}

async function checkReport(db: Db, id: number, by: Reader): Promise<void> {
  const row = db.selectFrom('reportTemplates').select('id').where('id', '=', id).where(showsReport(by))
  if (!(await row.executeTakeFirst())) notFound('report', id)
}

export const asRun = (row: RunRow): ReportRun => ({
  id: row.id,
  jobId: row.jobId,
  status: row.status,
  by: row.by,
  startedAt: row.startedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  indexingDate: row.indexingDate,
  ...figuresOf(row),
  check: row.checkState ? { state: row.checkState, reason: row.checkReason ?? '' } : null,
  isKept: row.isKept,
  reportTag: row.reportTag,
  reason: row.reason,
})

export const figuresOf = (run: RunRow | undefined): ReportFigures => ({
  numberOfFilesFound: run?.numberOfFilesFound ?? null,
  numberOfFilesTotal: run?.numberOfFilesTotal ?? null,
  numberOfFoldersFound: run?.numberOfFoldersFound ?? null,
  numberOfFoldersTotal: run?.numberOfFoldersTotal ?? null,
  sizeOfFilesFound: run?.sizeOfFilesFound ?? null,
  sizeOfFilesTotal: run?.sizeOfFilesTotal ?? null,
})
