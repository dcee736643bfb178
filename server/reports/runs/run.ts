import type { Selectable } from 'kysely'
import type { ReportFigures } from '#events/reports/templates.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import type { Judged } from './checks.ts'
import type { Counts } from './foundEntries.ts'

/** The report that is run, as it is kept. */
export type Template = Selectable<Tables['reportTemplates']>

/** What a run found in its snapshot, and how much it looked through. */
export type FoundAll = { snapshot: Snapshot; found: Counts; total: Counts }

/** What a run came to, as its files tell it. */
export type RunFacts = ReportFigures & { runId: number; snapshot: Snapshot; check: Judged | undefined }
