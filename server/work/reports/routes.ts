import { dataSourceTypes, reports, reportTypes } from '#events/reports/calls.ts'
import { reportChecks, reportRuns } from '#events/reports/runs.ts'
import { ReportType, SourceType } from '#events/reports/templates.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { launchReport } from './launchReport.ts'
import { findReport, listReports } from './readTemplates.ts'
import { listChecks } from './runs/checks.ts'
import { compareRuns, listCompared } from './runs/compareRuns.ts'
import { listReportJobs, listRuns } from './runs/readRuns.ts'
import { createReport, removeReport, updateReport } from './templates.ts'

const topics = ['reports'] as const

/** Paths with a word are before those with a number in its place. */
export const reportRoutes = (platform: Platform) => [
  route(reportTypes, () => ReportType.options),
  route(dataSourceTypes, () => SourceType.options),
  route(reportChecks, (_, by) => listChecks(platform.db, by)),
  route(reports.list, ({ query }, by) => listReports(platform.db, query, by)),
  route(reports.find, ({ params }, by) => findReport(platform, params.id, by)),
  route(reports.create, ({ body }, by) =>
    change(platform, by, topics, (change) => createReport(platform, change, body)),
  ),
  route(reports.update, ({ params, body }, by) =>
    change(platform, by, topics, (change) => updateReport(platform, change, params.id, body)),
  ),
  route(reports.remove, ({ params }, by) => removeReport(platform, params.id, by)),
  route(reports.launch, async ({ params }, by) => {
    const jobId = await launchReport(platform.db, params.id, by)
    platform.live({ type: 'changed', topics: [...topics] })
    return { jobId }
  }),
  route(reports.jobs, ({ params }, by) => listReportJobs(platform.db, params.id, by)),
  route(reportRuns.list, ({ params, query }, by) => listRuns(platform.db, params.id, query, by)),
  route(reportRuns.compare, ({ params, query }, by) => compareRuns(platform, params.id, query, by)),
  route(reportRuns.comparedEntries, ({ params, query }, by) => listCompared(platform, params.id, query, by)),
]
