import type { ReportRun } from '#events/reports/runs.ts'
import type { ListedReport, Report } from '#events/reports/templates.ts'
import { today } from './examples.ts'

const at = `${today}T10:00:00.000Z`
const twoMinutesLater = `${today}T10:02:00.000Z`

/** Half of the files and a third of the bytes of the comparison data. */
const figures = {
  numberOfFilesFound: 1,
  numberOfFilesTotal: 2,
  numberOfFoldersFound: 0,
  numberOfFoldersTotal: 1,
  sizeOfFilesFound: 1_024,
  sizeOfFilesTotal: 3_072,
}

/** The report Copies, which ran successfully once and whose check failed. */
export const listedReport = (id: number, changes: Partial<ListedReport> = {}): ListedReport => ({
  id,
  name: 'Copies',
  type: 'DUPLICATED',
  tags: ['twice'],
  retention: 30,
  createdBy: 'admin',
  lastExecutionDate: twoMinutesLater,
  jobs: [{ id: 7, status: 'SUCCESS', createdAt: at, startedAt: at, updatedAt: twoMinutesLater }],
  ...figures,
  reportTag: `dataintell.report.Copies.${today}`,
  indexingDate: today,
  check: { state: 'FAILED', reason: '1 file found' },
  schedule: { cron: '0 0 0 1 * ?', paused: false },
  nextRuns: ['2026-04-01T00:00:00.000Z'],
  ...changes,
})

/** The same report with its parameters. */
export const report = (id: number, changes: Partial<Report> = {}): Report => ({
  ...listedReport(id),
  parameters: {
    references: [{ id: 1, type: 'VOLUME', path: '/', volumeName: 'Films' }],
    comparison: [{ id: 2, type: 'VOLUME', path: '/alpine', volumeName: 'Archive' }],
    searchQueryNode: null,
    rollingDates: true,
  },
  checks: [{ rule: 'MORE_FILES_THAN', value: 0, level: 'FAIL' }],
  delivery: { addresses: [], webhook: null, webhookFormat: 'AUTO', webhookTemplate: null, when: 'ALWAYS' },
  isWebhookLost: false,
  isWebhookUserDeleted: false,
  ...changes,
})

/** A run of the report Copies. */
export const reportRun = (id: number, changes: Partial<ReportRun> = {}): ReportRun => ({
  id,
  jobId: id + 6,
  status: 'SUCCESS',
  by: 'admin',
  startedAt: at,
  endedAt: twoMinutesLater,
  indexingDate: today,
  ...figures,
  check: { state: 'FAILED', reason: '1 file found' },
  isKept: true,
  reportTag: `dataintell.report.Copies.${today}`,
  reason: null,
  ...changes,
})
