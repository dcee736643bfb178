import type { Generated, JSONColumnType } from 'kysely'
import type { JobStatus } from '#events/jobs/states.ts'
import type {
  CheckState,
  ReportCheck,
  ReportDelivery,
  ReportParameters,
  ReportType,
} from '#events/reports/templates.ts'

/** The tables of reports and their runs. */
export type ReportTables = {
  reportTemplates: {
    id: Generated<number>
    name: string
    type: ReportType
    tags: string[]
    retention: number
    parameters: JSONColumnType<ReportParameters>
    daysAsOf: string
    cron: string | null
    paused: Generated<boolean>
    nextDueAt: Date | null
    dueAfter: Date | null
    delivery: JSONColumnType<Omit<ReportDelivery, 'webhook'>>
    webhook: string | null
    webhookUser: number | null
    checks: JSONColumnType<ReportCheck[]>
    createdBy: string
    /** The user within whose limits it is counted; null for deleted users who saw everything. */
    ownerId: number | null
  }
  reportRuns: {
    id: Generated<number>
    templateId: number
    jobId: number
    by: string
    status: JobStatus
    startedAt: Date
    dueAt: Date | null
    /** False if the user who started the run may not call the webhook. */
    callsWebhook: Generated<boolean>
    endedAt: Date | null
    indexingDate: string | null
    reportTag: string | null
    tagVersion: number | null
    isKept: Generated<boolean>
    numberOfFilesFound: number | null
    numberOfFilesTotal: number | null
    numberOfFoldersFound: number | null
    numberOfFoldersTotal: number | null
    sizeOfFilesFound: number | null
    sizeOfFilesTotal: number | null
    checkState: CheckState | null
    checkReason: string | null
    reason: string | null
    /** Key of the limits of its figures; null without limits. */
    limits: string | null
  }
}
