import type { Selectable } from 'kysely'
import type { ReportFigures } from '#events/reports/templates.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import type { EntryCounts } from '#server/questions/selections/index.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ReportLimits } from '#server/work/reports/reportLimits.ts'
import type { CheckResult } from './checks.ts'

/** A report as stored. */
export type Template = Selectable<Tables['reportTemplates']>

/**
 * The results of a run in its snapshot, and the totals of the searched data. `unsearched` says which of the report's
 * data has no entries in the snapshot.
 */
export type RunFindings = {
  limits: ReportLimits
  snapshot: Snapshot
  found: EntryCounts
  total: EntryCounts
  unsearched: string | undefined
}

/** The result of a run for its files. */
export type RunFacts = ReportFigures & {
  runId: number
  limits: ReportLimits
  snapshot: Snapshot
  check: CheckResult | undefined
}
