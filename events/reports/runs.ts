import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { endpoint, Flag, Id, IdNumber } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { pageOf, PageQuery } from '#events/contract/page.ts'
import { Cursor } from '#events/entries.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { CheckState, ReportFigures } from './templates.ts'

/** A run of a report. Runs are kept forever; their results expire with the retention of the report. */
export const ReportRun = z.object({
  id: z.int(),
  jobId: z.int(),
  status: z.enum(jobStatuses),
  /** Name of the user who launched the run, or the schedule. */
  by: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** The snapshot that the run searched. */
  indexingDate: Day.nullable(),
  ...ReportFigures.shape,
  check: z.object({ state: CheckState, reason: z.string() }).nullable(),
  /** True while the results are kept, for the tag and for comparisons. */
  isKept: z.boolean(),
  reportTag: z.string().nullable(),
  reason: z.string().nullable(),
  /** Emails and webhook of the run. Only in lists, and only for users who may change reports. */
  deliveries: z
    .array(z.object({ to: z.string(), state: z.enum(['sent', 'waiting', 'failed']), reason: z.string().nullable() }))
    .optional(),
})
export type ReportRun = z.infer<typeof ReportRun>

/** Text in place of figures of a run that were counted within other limits than those of the reader. */
export const otherLimits = 'Counted within other limits. Run the report again.'

/** Kinds of differences between two runs: found only by the later one, only by the earlier one, or by both. */
export const runDifferences = { NEW: 'New', GONE: 'Gone', STILL_THERE: 'Still there' } as const
export type RunDifference = keyof typeof runDifferences
const differences = Object.keys(runDifferences) as [RunDifference, ...RunDifference[]]

/** Bytes are those of files, as seen by the later of the two runs that found them. */
export const DifferenceTotals = z.object({ files: z.number(), folders: z.number(), bytes: z.number() })
export type DifferenceTotals = z.infer<typeof DifferenceTotals>

export const RunComparison = z.object({
  from: ReportRun,
  to: ReportRun,
  totals: z.record(z.enum(differences), DifferenceTotals),
})
export type RunComparison = z.infer<typeof RunComparison>

/**
 * A row of a comparison. `size` is that of the earlier run if the entry is gone. Bytes; -1 for a file that could not be
 * read.
 */
export const FoundEntry = z.object({
  volumeId: z.int(),
  volumeName: z.string(),
  path: z.string(),
  /** Full path, as users write it. */
  fullPath: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
})
export type FoundEntry = z.infer<typeof FoundEntry>

const needs = 'snapshots.see'
const failure = 'Error while comparing the runs of the report.'
const Runs = z.object({ from: IdNumber, to: IdNumber })

export const reportRuns = {
  /** All runs, newest first. */
  list: endpoint({
    method: 'GET',
    path: '/v1/reports/:id/runs',
    needs,
    limitedBy: 'entries',
    failure: 'Error while getting the runs of the report.',
    params: Id,
    query: PageQuery,
    answer: pageOf(ReportRun),
  }),
  /**
   * Compares two runs of one report by their IDs. 409 with the code `not-kept` if the results of one of them have
   * expired.
   */
  compare: endpoint({
    method: 'GET',
    path: '/v1/reports/:id/comparison',
    needs,
    limitedBy: 'entries',
    failure,
    params: Id,
    query: Runs,
    answer: RunComparison,
  }),
  /**
   * Entries with one kind of difference, sorted by size, largest first, then by path. `cursor` requests the next rows;
   * null at the end.
   */
  comparedEntries: endpoint({
    method: 'GET',
    path: '/v1/reports/:id/comparison/entries',
    needs,
    limitedBy: 'entries',
    failure,
    params: Id,
    query: z.intersection(
      Runs.extend({
        difference: z.enum(differences),
        isDirectory: Flag,
        size: writtenInt(1, 500).default(50),
      }),
      Cursor,
    ),
    answer: z.object({ elements: z.array(FoundEntry), cursor: z.string().nullable() }),
  }),
}

/** A report with a check and its last result; null before the first run. */
export const CheckedReport = z.object({
  id: z.int(),
  name: z.string(),
  state: CheckState.nullable(),
  reason: z.string(),
  at: z.iso.datetime().nullable(),
  indexingDate: Day.nullable(),
  numberOfFilesFound: z.number().nullable(),
  sizeOfFilesFound: z.number().nullable(),
})
export type CheckedReport = z.infer<typeof CheckedReport>

/** Reports with a check: failures first, then warnings, then by name. */
export const reportChecks = endpoint({
  method: 'GET',
  path: '/v1/reports/checks',
  needs,
  limitedBy: 'entries',
  failure: 'Error while fetching the checks of the reports',
  answer: z.array(CheckedReport),
})
