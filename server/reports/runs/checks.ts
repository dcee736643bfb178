import { sql } from 'kysely'
import type { CheckedReport } from '#events/reports/runs.ts'
import { type CheckState, checkStates, type ReportCheck } from '#events/reports/templates.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { lastRuns } from './readRuns.ts'

type RunTotals = { files: number; bytes: number }
export type CheckResult = { state: CheckState; reason: string }

/**
 * Evaluates the checks of a report on the totals of a run and of the run before; the worst result counts, undefined
 * without checks.
 */
export function evaluateChecks(
  checks: readonly ReportCheck[],
  found: RunTotals,
  before: RunTotals | undefined,
): CheckResult | undefined {
  const judged = checks.map((check): CheckResult => {
    const { isBroken, reason } = measure(check, found, before)
    return { state: isBroken ? (check.level === 'FAIL' ? 'FAILED' : 'WARNING') : 'PASSED', reason }
  })
  const worst = judged.sort((a, b) => rank(b.state) - rank(a.state))[0]
  return worst && { ...worst, reason: reasonsOf(judged, worst.state) }
}

/** Verbs for a sentence about a check: `check failed`. */
export const stateVerbs: Record<CheckState, string> = { PASSED: 'passed', WARNING: 'warns', FAILED: 'failed' }

const rank = (state: CheckState): number => checkStates.indexOf(state)
const reasonsOf = (judged: CheckResult[], state: CheckState): string =>
  judged
    .filter((one) => one.state === state)
    .map(({ reason }) => reason)
    .join('; ')

function measure({ rule, value }: ReportCheck, found: RunTotals, before: RunTotals | undefined) {
  switch (rule) {
    case 'MORE_FILES_THAN':
      return { isBroken: found.files > value, reason: `${matching(found.files)}, at most ${value} may` }
    case 'BYTES_GREW_BY': {
      if (!before) return { isBroken: false, reason: 'there is no previous run to compare with' }
      const limit = before.bytes * (1 + value / 100)
      const change = `matched bytes went from ${sizeText(before.bytes)} to ${sizeText(found.bytes)}`
      return { isBroken: found.bytes > limit, reason: `${change}, at most ${value} % more may match` }
    }
  }
}

const matching = (files: number) => (files === 1 ? '1 file matches' : `${files} files match`)

/** All reports that have a check, the worst first. */
export async function listChecks(db: Db): Promise<CheckedReport[]> {
  const rows = await db.selectFrom('reportTemplates').select(['id', 'name', 'checks']).execute()
  const checked = rows.filter(({ checks }) => checks.length > 0)
  const runs = await lastRuns(
    db,
    checked.map(({ id }) => id),
  )
  const all = checked.map(({ id, name }): CheckedReport => {
    const run = runs.get(id)
    return {
      id,
      name,
      state: run?.checkState ?? null,
      reason: run?.checkReason ?? 'It has not run yet',
      at: run?.endedAt?.toISOString() ?? null,
      indexingDate: run?.indexingDate ?? null,
      numberOfFilesFound: run?.numberOfFilesFound ?? null,
      sizeOfFilesFound: run?.sizeOfFilesFound ?? null,
    }
  })
  const badness = ({ state }: CheckedReport) => (state ? rank(state) : -1)
  return all.sort((a, b) => badness(b) - badness(a) || a.name.localeCompare(b.name))
}

/** A report whose check failed in its last run, and the first run of that series of failures. */
export type FailingCheck = { id: number; name: string; since: number; reason: string; indexingDate: string }

/** The reports among these whose check fails, by name, and the ids that don't exist. */
export async function checksOf(trx: Trx, ids: number[]): Promise<{ failing: FailingCheck[]; gone: number[] }> {
  const { rows } = await sql<FailingCheck & { since: number | null }>`
    WITH ended AS (
      SELECT * FROM report_runs WHERE template_id = ANY(${ids}) AND indexing_date IS NOT NULL
    ), passed AS (
      SELECT template_id, max(id) AS id FROM ended WHERE check_state IS DISTINCT FROM 'FAILED' GROUP BY template_id
    ), failing AS (
      SELECT template_id, min(ended.id) AS since, max(ended.id) AS last FROM ended LEFT JOIN passed USING (template_id)
      WHERE ended.id > coalesce(passed.id, 0) GROUP BY template_id
    )
    SELECT report_templates.id, name, since, check_reason AS reason, indexing_date
    FROM report_templates LEFT JOIN failing ON template_id = report_templates.id LEFT JOIN report_runs ON report_runs.id = last
    WHERE report_templates.id = ANY(${ids}) ORDER BY lower(name)`.execute(trx)
  return {
    failing: rows.filter(({ since }) => since !== null),
    gone: ids.filter((id) => rows.every((row) => row.id !== id)),
  }
}
