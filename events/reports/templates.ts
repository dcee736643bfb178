import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { PathText } from '#events/entries.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { countQueries, WrittenCriteria } from '#events/search/criteria.ts'
import { cronProblem } from '#events/schedules/cron.ts'
import { Tag } from '#events/tags.ts'

/**
 * What a report finds. DUPLICATED: of the comparison data what the reference data has too, by the rule of duplicates; UNIQUE: all
 * the rest of the comparison data; SEARCH_QUERY: what meets a query. A query of the first two leaves in what meets it.
 */
export const reportTypeLabels = { DUPLICATED: 'Duplicated', UNIQUE: 'Unique', SEARCH_QUERY: 'Search query' } as const
export type ReportType = keyof typeof reportTypeLabels
export const ReportType = z.enum(Object.keys(reportTypeLabels) as [ReportType, ...ReportType[]])

/** Whether reports of a type compare data with other data. */
export const comparesData = (type: ReportType): boolean => type !== 'SEARCH_QUERY'

export const sourceTypeLabels = { VOLUME: 'Storage', PROJECT: 'Project' } as const
export type SourceType = keyof typeof sourceTypeLabels
export const SourceType = z.enum(Object.keys(sourceTypeLabels) as [SourceType, ...SourceType[]])

/** What is shown of a storage or a project that is gone. */
export const invalidName = 'Invalid'

/**
 * A storage or a project by its number, and the folder in it: '/' is all of it. Of a project it is what lies both in the project and
 * below the folder, on each of its storages.
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

/** As it is shown; `volumeName` is that of the storage or of the project. */
export const ShownSource = DataSource.extend({ volumeName: z.string() })
export type ShownSource = z.infer<typeof ShownSource>

const mostSources = 100
const Sources = z
  .array(DataSource)
  .max(mostSources, `must be at most ${mostSources}`)
  .transform((sources) => [...new Map(sources.map((one) => [`${one.type}:${one.id}:${one.path}`, one])).values()])
  .default([])

const parameters = {
  searchQueryNode: WrittenCriteria.nullable().default(null),
  /** The days of the query keep their distance to the day on which they were saved: 'before a year ago' stays that. */
  rollingDates: z.boolean().default(false),
}
export const ReportParameters = z.object({ references: Sources, comparison: Sources, ...parameters })
export type ReportParameters = z.infer<typeof ReportParameters>

/** What turns a report into a check, judged at the end of each run. */
export const checkRules = {
  /** More files than `value` match. */
  MORE_FILES_THAN: 'More files than',
  /** The bytes that match are more than `value` percent above those of the run before; the first run passes. */
  BYTES_GREW_BY: 'Matched bytes grew by percent',
} as const
export type CheckRule = keyof typeof checkRules

export const ReportCheck = z.object({
  rule: z.enum(Object.keys(checkRules) as [CheckRule, ...CheckRule[]]),
  value: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  level: z.enum(['FAIL', 'WARN']).default('FAIL'),
})
export type ReportCheck = z.infer<typeof ReportCheck>

/** What came of the checks of a run; the worst of them counts. */
export const checkStates = ['PASSED', 'WARNING', 'FAILED'] as const
export const CheckState = z.enum(checkStates)
export type CheckState = (typeof checkStates)[number]

const webhookRule = 'must be an http or https address without a user name in it'

/** Who is told when a run has found what it finds. A mail has the figures and what came of the checks. */
export const ReportDelivery = z.object({
  addresses: z
    .array(z.email('must be a well-formed email address').max(255))
    .max(20, 'must be at most 20 addresses')
    .transform((addresses) => [...new Set(addresses)])
    .default([]),
  /** An address that receives the run as JSON by POST. */
  webhook: z
    .url({ protocol: /^https?$/, error: webhookRule })
    .max(2_048)
    .refine((address) => !/@|\p{Cc}/u.test(address.split('/', 3).join('/')), webhookRule)
    .nullable()
    .default(null),
  /** Of every run, or only of those whose check warned or failed. */
  when: z.enum(['ALWAYS', 'CHECK_NOT_PASSED']).default('ALWAYS'),
})
export type ReportDelivery = z.infer<typeof ReportDelivery>

/** When a report starts by itself: a cron expression as schedules have it, in the server's time zone. */
export const ReportSchedule = z.object({
  cron: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(255)
    .superRefine((text, { addIssue }) => {
      const message = text === '' ? undefined : cronProblem(text)
      if (message) addIssue({ code: 'custom', message })
    }),
  paused: z.boolean().default(false),
})
export type ReportSchedule = z.infer<typeof ReportSchedule>

export const usualRetention = 30

const Name = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(100)
  .refine((name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name), 'must not hold control characters')

const draft = {
  type: ReportType,
  /** Given to what a run finds, beside the tag of the report. */
  tags: z
    .array(Tag)
    .max(20, 'must be at most 20 tags')
    .transform((tags) => [...new Set(tags)])
    .default([]),
  /** Days that what older runs found stays flagged; that of the newest run always does. */
  retention: z.int('must be a whole number').min(1).max(36_500).default(usualRetention),
  parameters: ReportParameters,
  /** These four stay as they are where a change leaves them out. */
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

/** What a report is made with. A report that compares has data on both sides, one that searches a query. */
export const ReportDraft = z.object({ name: Name, ...draft }).superRefine(complete)
export type ReportDraft = z.infer<typeof ReportDraft>

/** What it is changed to; the name stays, and need not be said. */
export const ReportChange = z.object({ name: Name.optional(), ...draft }).superRefine(complete)
export type ReportChange = z.infer<typeof ReportChange>

const moment = z.iso.datetime().nullable()

/** A run of a report as a job, newest first where there are several. */
export const ReportJob = z.object({
  id: z.int(),
  status: z.enum(jobStatuses),
  createdAt: z.iso.datetime(),
  startedAt: moment,
  updatedAt: z.iso.datetime(),
})
export type ReportJob = z.infer<typeof ReportJob>

/**
 * What a run found, out of what it looked at; null until a run came so far. Bytes are those of files. Found of found folders; all
 * of the date for a query, all of the comparison data otherwise.
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

/** A report in a list, with its last few jobs and the figures of the last run that ended well. */
export const ListedReport = z.object({
  id: z.int(),
  name: z.string(),
  type: ReportType,
  tags: z.array(z.string()),
  retention: z.int(),
  createdBy: z.string(),
  /** When the last run that found something to say ended. */
  lastExecutionDate: moment,
  /** The newest 10 that are kept. */
  jobs: z.array(ReportJob),
  ...ReportFigures.shape,
  /** The tag of what the last run found, for the filter `report` of a search; null before the first one. */
  reportTag: z.string().nullable(),
  /** The snapshot that the last run looked at. */
  indexingDate: Day.nullable(),
  check: z.object({ state: CheckState, reason: z.string() }).nullable(),
  schedule: ReportSchedule.nullable(),
  /** The next three times that it starts by itself. */
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
  /** Null for those who may not change reports. */
  delivery: ReportDelivery.nullable(),
  /** Its webhook was sealed with another key than the server has now: it is not told there until it is entered again. */
  isWebhookLost: z.boolean(),
})
export type Report = z.infer<typeof Report>
