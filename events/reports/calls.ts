import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'
import { pageOf, PageQuery } from '#events/contract/page.ts'
import { ListedReport, Report, ReportChange, ReportDraft, ReportJob, ReportType, SourceType } from './templates.ts'

const needs = 'snapshots.see'
/** Running a report requires the permission to tag, because a run tags its results. */
const edit = 'entries.tag'
const one = '/v1/reports/templates/:id'

/** Error messages of screens. The name of the report replaces `{name}`; messages from the server already contain it. */
const failedSave = 'Something went wrong while trying to create the report template.'

export const reports = {
  /** By name, unless sorted by `type` or `lastExecutionDate`. */
  list: endpoint({
    method: 'GET',
    path: '/v1/reports/templates',
    needs,
    limitedBy: 'entries',
    failure: 'Error while fetching the list of reports',
    query: PageQuery,
    answer: pageOf(ListedReport),
  }),
  find: endpoint({
    method: 'GET',
    path: one,
    needs,
    limitedBy: 'entries',
    failure: 'Error while getting the report.',
    params: Id,
    answer: Report,
  }),
  /** Names of reports are unique; a duplicate is a 400 that contains the name. */
  create: endpoint({
    method: 'POST',
    path: '/v1/reports/templates',
    needs: edit,
    limitedBy: 'own',
    failure: failedSave,
    body: ReportDraft,
    record: Report,
    answer: z.object({ id: z.int(), name: z.string() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    needs: edit,
    limitedBy: 'own',
    failure: failedSave,
    params: Id,
    body: ReportChange,
    record: Report,
    answer: z.object({ id: z.int(), name: z.string() }),
  }),
  /** Results keep their tags. A run in progress is cancelled and leaves no tags. */
  remove: endpoint({
    method: 'DELETE',
    path: one,
    needs: edit,
    limitedBy: 'own',
    failure: 'An error occurred while deleting the report template.',
    params: Id,
  }),
  /** Starts a run over the newest snapshot. 409 if a run is in progress. */
  launch: endpoint({
    method: 'POST',
    path: `${one}/jobs`,
    needs: edit,
    limitedBy: 'own',
    failure: 'An error occurred while launching the report template.',
    params: Id,
    answer: z.object({ jobId: z.int() }),
  }),
  /** Stored jobs of a report, newest first, at most 100. */
  jobs: endpoint({
    method: 'GET',
    path: '/v1/reports/:id/jobs',
    needs,
    limitedBy: 'own',
    failure: 'Error while getting the jobs for the report.',
    params: Id,
    answer: z.array(ReportJob),
  }),
}

export const dataSourceTypes = endpoint({
  method: 'GET',
  path: '/v1/reports/templates/dataSources/types',
  needs,
  limitedBy: { nothing: 'fixed names' },
  failure: 'Unable to get the list of data source types.',
  answer: z.array(SourceType),
})

export const reportTypes = endpoint({
  method: 'GET',
  path: '/v1/reports/templates/types',
  needs,
  limitedBy: { nothing: 'fixed names' },
  failure: 'Unable to get the list of report types.',
  answer: z.array(ReportType),
})

/** Error messages for the lists and totals of a search for the results of a report. */
export const foundFailures = {
  files: 'Error while getting the files found for this report.',
  folders: 'Error while getting the folders found for this report.',
  size: 'Error while getting the size of files found for this report.',
  totalFiles: 'Error while getting the total files for this report.',
  totalFolders: 'Error while getting the total folders for this report.',
  totalSize: 'Error while getting the total size of files for this report.',
} as const

/** Error message with the name of the report. */
export const launchFailure = (name: string): string =>
  `An error occurred while launching the report template [${name}].`
export const removeFailure = (name: string): string => `An error occurred while deleting the report template [${name}].`
