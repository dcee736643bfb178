import { sql } from 'kysely'
import { compareNames } from '#events/contract/names.ts'
import { type CheckedReport, otherLimits } from '#events/reports/runs.ts'
import { type CheckState, checkStates, type ReportCheck } from '#events/reports/templates.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { showsReport } from '#server/work/reports/reportLimits.ts'
import { type FailedRun, failedRuns, lastRuns, type RunRow } from './readRuns.ts'

type RunTotals = { files: number; bytes: number }
export type CheckResult = { state: CheckState; reason: string }

/** Basis of the checks of a run; `unsearched` says which data could not be searched. */
type Evidence = { found: RunTotals; before: RunTotals | undefined; unsearched: string | undefined }

/**
 * Evaluates the checks of a report on the totals of a run and of the run before; the worst result counts, undefined
 * without checks. What could not be searched can't pass.
 */
export function evaluateChecks(
  checks: readonly ReportCheck[],
  { found, before, unsearched }: Evidence,
): CheckResult | undefined {
  const judged = checks.map((check): CheckResult => {
    const { isBroken, reason } = measure(check, found, before)
    if (isBroken) return { state: check.level === 'FAIL' ? 'FAILED' : 'WARNING', reason }
    if (unsearched !== undefined) return { state: 'UNKNOWN', reason: unsearched }
    return { state: isBroken === undefined ? 'UNKNOWN' : 'PASSED', reason }
  })
  const worst = judged.sort((a, b) => rank(b.state) - rank(a.state))[0]
  return worst && { ...worst, reason: [...new Set(reasonsOf(judged, worst.state))].join('; ') }
}

/** Verbs for a sentence about a check: `check failed`. */
export const stateVerbs: Record<CheckState, string> = {
  PASSED: 'passed',
  UNKNOWN: 'could not be evaluated',
  WARNING: 'warns',
  FAILED: 'failed',
}

const rank = (state: CheckState): number => checkStates.indexOf(state)
const reasonsOf = (judged: CheckResult[], state: CheckState): string[] =>
  judged.filter((one) => one.state === state).map(({ reason }) => reason)

/** The result that a report shows: that of its last run, unless a later run failed and so could not be checked. */
export function shownCheck(run: RunRow | undefined, failed: FailedRun | undefined): CheckResult | null {
  if (run?.reason === otherLimits) return { state: 'UNKNOWN', reason: otherLimits }
  if (!run?.checkState) return null
  if (failed) return { state: 'UNKNOWN', reason: `The last run failed: ${failed.reason ?? 'see its job'}` }
  return { state: run.checkState, reason: run.checkReason ?? '' }
}

/** `isBroken` is undefined if there is nothing to compare with. */
function measure({ rule, value }: ReportCheck, found: RunTotals, before: RunTotals | undefined) {
  switch (rule) {
    case 'MORE_FILES_THAN':
      return { isBroken: found.files > value, reason: `${matching(found.files)}; the limit is ${value}` }
    case 'BYTES_GREW_BY': {
      if (!before) return { isBroken: undefined, reason: 'there is no previous run to compare with' }
      const limit = before.bytes * (1 + value / 100)
      const change = `matched bytes went from ${sizeText(before.bytes)} to ${sizeText(found.bytes)}`
      return { isBroken: found.bytes > limit, reason: `${change}; the limit is ${value} % more` }
    }
  }
}

const matching = (files: number) => (files === 1 ? '1 file matches' : `${files} files match`)

/** All reports of a reader that have a check, the worst first. */
export async function listChecks(db: Db, by: Caller): Promise<CheckedReport[]> {
  const rows = await db.selectFrom('reportTemplates').select(['id', 'name', 'checks']).where(showsReport(by)).execute()
  const checked = rows.filter(({ checks }) => checks.length > 0)
  const ids = checked.map(({ id }) => id)
  const [runs, failed] = [await lastRuns(db, ids, by), await failedRuns(db, ids, by)]
  const all = checked.map(({ id, name }): CheckedReport => {
    const run = runs.get(id)
    const check = shownCheck(run, failed.get(id))
    return {
      id,
      name,
      state: check?.state ?? null,
      reason: check?.reason ?? 'It has not run yet',
      at: run?.endedAt?.toISOString() ?? null,
      indexingDate: run?.indexingDate ?? null,
      numberOfFilesFound: run?.numberOfFilesFound ?? null,
      sizeOfFilesFound: run?.sizeOfFilesFound ?? null,
    }
  })
  const badness = ({ state }: CheckedReport) => (state ? rank(state) : -1)
  return all.sort((a, b) => badness(b) - badness(a) || compareNames(a.name, b.name))
}

/** A report whose check failed or could not be evaluated in its last run, and the first run of that series. */
export type FailingCheck = {
  id: number
  name: string
  state: 'FAILED' | 'UNKNOWN'
  since: number
  reason: string
  indexingDate: string | null
}

/**
 * The reports among these whose check fails or can't be evaluated, by name, and the ids that don't exist. A run that
 * failed can't be evaluated if the report has checks.
 */
export async function checksOf(trx: Trx, ids: number[]): Promise<{ failing: FailingCheck[]; gone: number[] }> {
  const { rows } = await sql<Omit<FailingCheck, 'since'> & { since: number | null }>`
    WITH ended AS (
      SELECT report_runs.*, CASE WHEN indexing_date IS NOT NULL THEN check_state WHEN checks <> '[]' THEN 'UNKNOWN' END AS state
      FROM report_runs JOIN report_templates ON report_templates.id = template_id
      WHERE template_id = ANY(${ids}) AND (indexing_date IS NOT NULL OR status = 'FAILURE')
    ), newest AS (
      SELECT DISTINCT ON (template_id) * FROM ended ORDER BY template_id, id DESC
    ), before AS (
      SELECT ended.template_id, max(ended.id) AS id FROM ended JOIN newest USING (template_id)
      WHERE ended.state IS DISTINCT FROM newest.state GROUP BY ended.template_id
    ), since AS (
      SELECT template_id, min(ended.id) AS since FROM ended LEFT JOIN before USING (template_id)
      WHERE ended.id > coalesce(before.id, 0) GROUP BY template_id
    )
    SELECT report_templates.id, name, newest.state, CASE WHEN newest.state IN ('FAILED', 'UNKNOWN') THEN since END AS since,
      coalesce(check_reason, newest.reason, 'the run failed') AS reason, indexing_date
    FROM report_templates LEFT JOIN newest ON newest.template_id = report_templates.id
      LEFT JOIN since ON since.template_id = report_templates.id
    WHERE report_templates.id = ANY(${ids}) ORDER BY lower(name)`.execute(trx)
  return {
    failing: rows.filter((row): row is FailingCheck => row.since !== null),
    gone: ids.filter((id) => rows.every((row) => row.id !== id)),
  }
}
