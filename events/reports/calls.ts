import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'
import { pageOf, PageQuery } from '#events/contract/page.ts'
import { ListedReport, Report, ReportChange, ReportDraft, ReportJob, ReportType, SourceType } from './templates.ts'

const needs = 'snapshots.see'
/** Who may tag may run: what a run finds is tagged. */
const edit = 'entries.tag'
const one = '/v1/reports/templates/:id'

/** Screens put the name of the report where `name` stands in brackets; a message of the server has it already. */
const failedSave = 'Something went wrong while trying to create the report template.'

export const reports = {
  /** By name, unless sorted by `type` or `lastExecutionDate`. */
  list: endpoint({
    method: 'GET',
    path: '/v1/reports/templates',
    needs,
    failure: 'Error while fetching the list of reports',
    query: PageQuery,
    answer: pageOf(ListedReport),
  }),
  find: endpoint({
    method: 'GET',
    path: one,
    needs,
    failure: 'Error while getting the report.',
    params: Id,
    answer: Report,
  }),
  /** No two reports have one name; 400 that names it. */
  create: endpoint({
    method: 'POST',
    path: '/v1/reports/templates',
    needs: edit,
    failure: failedSave,
    body: ReportDraft,
    answer: z.object({ id: z.int(), name: z.string() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    needs: edit,
    failure: failedSave,
    params: Id,
    body: ReportChange,
    record: Report,
    answer: z.object({ id: z.int(), name: z.string() }),
  }),
  /** What was found stays tagged; a run that is under way is cancelled, and leaves no tags. */
  remove: endpoint({
    method: 'DELETE',
    path: one,
    needs: edit,
    failure: 'An error occurred while deleting the report template.',
    params: Id,
  }),
  /** Starts a run over the newest snapshot. 409 while one is under way. */
  launch: endpoint({
    method: 'POST',
    path: `${one}/jobs`,
    needs: edit,
    failure: 'An error occurred while launching the report template.',
    params: Id,
    answer: z.object({ jobId: z.int() }),
  }),
  /** The jobs of a report that are kept, newest first, 100 at most. */
  jobs: endpoint({
    method: 'GET',
    path: '/v1/reports/:id/jobs',
    needs,
    failure: 'Error while getting the jobs for the report.',
    params: Id,
    answer: z.array(ReportJob),
  }),
}

export const dataSourceTypes = endpoint({
  method: 'GET',
  path: '/v1/reports/templates/dataSources/types',
  needs,
  failure: 'Unable to get the list of data source types.',
  answer: z.array(SourceType),
})

export const reportTypes = endpoint({
  method: 'GET',
  path: '/v1/reports/templates/types',
  needs,
  failure: 'Unable to get the list of report types.',
  answer: z.array(ReportType),
})

/** What is said of the lists and sums of a search that show what a report found, when one could not be had. */
export const foundFailures = {
  files: 'Error while getting the files found for this report.',
  folders: 'Error while getting the folders found for this report.',
  size: 'Error while getting the size of files found for this report.',
  totalFiles: 'Error while getting the total files for this report.',
  totalFolders: 'Error while getting the total folders for this report.',
  totalSize: 'Error while getting the total size of files for this report.',
} as const

/** With the name of the report. */
export const launchFailure = (name: string): string =>
  `An error occurred while launching the report template [${name}].`
export const removeFailure = (name: string): string => `An error occurred while deleting the report template [${name}].`
