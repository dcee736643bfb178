import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { Day } from '#events/contract/days.ts'
import { PathText } from '#events/entries.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { countQueries, WrittenCriteria } from '#events/search/criteria.ts'
import { CronText } from '#events/schedules/quartz.ts'
import { Tag } from '#events/tags.ts'
import { hasTemplate, hasTemplateRule, receivers } from '#events/notifications/webhooks.ts'

/**
 * Types of reports. DUPLICATED: comparison data that the reference data also has, by the rule of duplicates. UNIQUE:
 * the rest of the comparison data. SEARCH_QUERY: matches of a query. The first two can be limited by a query.
 */
export const reportTypeLabels = { DUPLICATED: 'Copies', UNIQUE: 'Without a copy', SEARCH_QUERY: 'Search' } as const
export type ReportType = keyof typeof reportTypeLabels
export const ReportType = z.enum(Object.keys(reportTypeLabels) as [ReportType, ...ReportType[]])

/** True for types that compare two sets of data. */
export const comparesData = (type: ReportType): boolean => type !== 'SEARCH_QUERY'

export const sourceTypeLabels = { VOLUME: 'Storage', PROJECT: 'Project' } as const
export type SourceType = keyof typeof sourceTypeLabels
export const SourceType = z.enum(Object.keys(sourceTypeLabels) as [SourceType, ...SourceType[]])

/** Name of a deleted storage or project. */
export const invalidName = 'Invalid'

/**
 * A storage or project by its ID, and a folder in it; '/' is all of it. For a project: the intersection of the project
 * and the folder, on each of its storages.
 */
export const DataSource = z.object({
  id: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  type: SourceType,
  path: PathText.startsWith('/', 'must begin with /')
    .transform((path) => (path === '/' ? path : path.replace(/\/+$/, '') || '/'))
    .default('/'),
})
export type DataSource = z.infer<typeof DataSource>

/** A data source with the name of the storage or project in `volumeName`. */
export const ShownSource = DataSource.extend({ volumeName: z.string() })
export type ShownSource = z.infer<typeof ShownSource>

const maxSources = 100
const Sources = z
  .array(DataSource)
  .max(maxSources, `must be at most ${maxSources}`)
  .transform((sources) => [...new Map(sources.map((one) => [`${one.type}:${one.id}:${one.path}`, one])).values()])
  .default([])

const parameters = {
  searchQueryNode: WrittenCriteria.nullable().default(null),
  /**
   * Dates in the query are relative to the day they were saved: 'before a year ago' always means a year before the run.
   */
  rollingDates: z.boolean().default(false),
}
export const ReportParameters = z.object({ references: Sources, comparison: Sources, ...parameters })
export type ReportParameters = z.infer<typeof ReportParameters>

/** Rules of a check, which is evaluated at the end of each run. */
export const checkRules = {
  /** More files than `value` match. */
  MORE_FILES_THAN: 'More files than',
  /** The matching bytes exceed those of the previous run by more than `value` percent. Unknown in the first run. */
  BYTES_GREW_BY: 'Matched bytes grew by percent',
} as const
export type CheckRule = keyof typeof checkRules

export const ReportCheck = z.object({
  rule: z.enum(Object.keys(checkRules) as [CheckRule, ...CheckRule[]]),
  value: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  level: z.enum(['FAIL', 'WARN']).default('FAIL'),
})
export type ReportCheck = z.infer<typeof ReportCheck>

/** Results of checks, by increasing severity. The worst one counts. UNKNOWN: the check could not be evaluated. */
export const checkStates = ['PASSED', 'UNKNOWN', 'WARNING', 'FAILED'] as const
export const CheckState = z.enum(checkStates)
export type CheckState = (typeof checkStates)[number]

/** Recipients of a notification after each run. The email contains the figures and the check results. */
export const ReportDelivery = z
  .object({
    ...receivers,
    /** After every run, or only if a check warned, failed or could not be evaluated. */
    when: z.enum(['ALWAYS', 'CHECK_NOT_PASSED']).default('ALWAYS'),
  })
  .refine(hasTemplate, hasTemplateRule)
export type ReportDelivery = z.infer<typeof ReportDelivery>

/** Start times of a report: a cron expression as in schedules, in the server's time zone. */
export const ReportSchedule = z.object({
  cron: CronText,
  paused: z.boolean().default(false),
})
export type ReportSchedule = z.infer<typeof ReportSchedule>

export const defaultRetentionDays = 30

/** The name of an existing report, which can't change: those of earlier versions may have any characters. */
const KnownName = z.string().trim().min(1, 'must not be blank').max(100)

const draft = {
  type: ReportType,
  /** Tags that a run assigns, in addition to the tag of the report. */
  tags: z
    .array(Tag)
    .max(20, 'must be at most 20 tags')
    .transform((tags) => [...new Set(tags)])
    .default([]),
  /** Days that the results of older runs stay flagged. Those of the newest run always do. */
  retention: z.int('must be a whole number').min(1).max(36_500).default(defaultRetentionDays),
  parameters: ReportParameters,
  /** A change without these four fields keeps their values. */
  schedule: ReportSchedule.nullable().optional(),
  delivery: ReportDelivery.optional(),
  checks: z.array(ReportCheck).max(10, 'must be at most 10').optional(),
}

type Checked = { type: ReportType; parameters: ReportParameters }
const hasEnough = ({ type, parameters: { references, comparison, searchQueryNode } }: Checked): boolean[] =>
  comparesData(type)
    ? [references.length > 0, comparison.length > 0, true]
    : [true, true, searchQueryNode !== null && countQueries(searchQueryNode) > 0]
const rules = ['references', 'comparison', 'searchQueryNode'] as const
const complete = (report: Checked, { addIssue }: z.core.$RefinementCtx<Checked>): void => {
  hasEnough(report).forEach((isThere, at) => {
    const part = rules[at] ?? 'references'
    const message = part === 'searchQueryNode' ? 'must have a query' : 'must have at least one data source'
    if (!isThere) addIssue({ code: 'custom', path: ['parameters', part], message })
  })
}

/** Fields to create a report. Reports that compare need data on both sides, the others a query. */
export const ReportDraft = z.object({ name: nameText({ max: 100 }), ...draft }).superRefine(complete)
export type ReportDraft = z.infer<typeof ReportDraft>

/** Fields to change a report. The name can't change and may be absent. */
export const ReportChange = z.object({ name: KnownName.optional(), ...draft }).superRefine(complete)
export type ReportChange = z.infer<typeof ReportChange>

const moment = z.iso.datetime().nullable()

/** A run of a report as a job, newest first in lists. */
export const ReportJob = z.object({
  id: z.int(),
  status: z.enum(jobStatuses),
  createdAt: z.iso.datetime(),
  startedAt: moment,
  updatedAt: z.iso.datetime(),
})
export type ReportJob = z.infer<typeof ReportJob>

/**
 * Figures of the results of a run; null until the run has them. Bytes are those of files. Folders are counted only if
 * they were found. The total is everything on the date for a query, otherwise all comparison data.
 */
export const ReportFigures = z.object({
  numberOfFilesFound: z.number().nullable(),
  numberOfFilesTotal: z.number().nullable(),
  numberOfFoldersFound: z.number().nullable(),
  numberOfFoldersTotal: z.number().nullable(),
  sizeOfFilesFound: z.number().nullable(),
  sizeOfFilesTotal: z.number().nullable(),
})
export type ReportFigures = z.infer<typeof ReportFigures>

/** A report in a list, with its last jobs and the figures of the last successful run. */
export const ListedReport = z.object({
  id: z.int(),
  name: z.string(),
  type: ReportType,
  tags: z.array(z.string()),
  retention: z.int(),
  createdBy: z.string(),
  /** End of the last run that had results. */
  lastExecutionDate: moment,
  /** The newest 10 stored jobs. */
  jobs: z.array(ReportJob),
  ...ReportFigures.shape,
  /** The figures are counted within the limits of the report's owner. */
  isLimited: z.literal(true).optional(),
  /** Tag of the results of the last run, for the filter `report` of a search; null before the first run. */
  reportTag: z.string().nullable(),
  /** The snapshot that the last run searched. */
  indexingDate: Day.nullable(),
  check: z.object({ state: CheckState, reason: z.string() }).nullable(),
  schedule: ReportSchedule.nullable(),
  /** The next three scheduled runs. */
  nextRuns: z.array(z.iso.datetime()),
})
export type ListedReport = z.infer<typeof ListedReport>

export const Report = ListedReport.extend({
  parameters: z.object({
    references: z.array(ShownSource),
    comparison: z.array(ShownSource),
    searchQueryNode: WrittenCriteria.nullable(),
    rollingDates: z.boolean(),
  }),
  checks: z.array(ReportCheck),
  /** Null for users who may not change reports. */
  delivery: ReportDelivery.nullable(),
  /** True if the webhook was sealed with another server key. It is not used until the URL is entered again. */
  isWebhookLost: z.boolean(),
  /** True if the user of the webhook was deleted. It is not called until the URL is entered again. */
  isWebhookUserDeleted: z.boolean(),
})
export type Report = z.infer<typeof Report>
