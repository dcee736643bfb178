import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ReportResult } from '#events/jobs/taskResults.ts'
import { today } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, notFound, Problem } from '#server/platform/problem.ts'
import { countEntries } from '#server/questions/selections/index.ts'
import { settledSnapshot, withVersionsKept } from '#server/content/snapshots/index.ts'
import { limitsOf, type ReportLimits } from '#server/work/reports/reportLimits.ts'
import { rolledTo } from '#server/work/reports/rolledDates.ts'
import type { ServerTaskHandler } from '#server/workers/tasks/index.ts'
import { type CheckResult, stateVerbs } from './checks.ts'
import { endRun, RunCancelled } from './endRun.ts'
import { forgetOldRuns } from './forgetOldRuns.ts'
import { rowsOfRun, keepFound } from './foundEntries.ts'
import { selectFound } from './selectFound.ts'
import { unsearchedData } from './unsearchedData.ts'
import type { RunFindings, Template } from './run.ts'
import { beginRun, endedRun, failRun, isCancelled, keepLimits } from './runState.ts'
import { SnapshotChanged, tagFound } from './tagFound.ts'
import { type UndoneRun, undoRun } from './undoRun.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live' | 'log'>
type Progress = (reached: ReportResult) => Promise<boolean>

/** Maximum restarts of a run because scans ended while it was running. */
const maxAttempts = 10

/** Runs reports in the server. A restarted run searches again; what it stored and tagged before is ignored. */
export const reportTasks = (stores: Stores): ServerTaskHandler<'RUN_REPORT'> => ({
  consumer: 'report-jobs',
  topics: ['reports', 'tags'],
  async lock(trx, jobId) {
    await trx.selectFrom('reportRuns').select('id').where('jobId', '=', jobId).forUpdate().execute()
    return []
  },
  async write(trx, tasks) {
    for (const { status, payload } of tasks)
      if (status === 'CANCELLED' && 'runId' in payload)
        await trx
          .updateTable('reportRuns')
          .set({ status, endedAt: new Date() })
          .where('id', '=', payload.runId)
          .where('endedAt', 'is', null)
          .execute()
  },
  notify() {},
  run: (payload, progress) => runReport(stores, payload, progress),
})

/**
 * Runs a report in its current form; returns undefined if it was stopped. Doesn't repeat a run that has ended, and
 * undoes a failed one.
 */
export async function runReport(
  stores: Stores,
  { templateId, runId }: TaskPayloadOf<'RUN_REPORT'>,
  progress: Progress,
): Promise<ReportResult | undefined> {
  const row = stores.db.selectFrom('reportTemplates').selectAll().where('id', '=', templateId)
  const report = (await row.executeTakeFirst()) ?? notFound('report', templateId)
  const ended = await endedRun(stores.db, runId)
  if (ended) return ended
  const run = await beginRun(stores.db, runId, report, today())
  if (!run) return undefined
  try {
    const done = await runUntilSettled(stores, report, run, progress)
    if (!done && (await isCancelled(stores.db, runId))) await undoRun(stores, run)
    return done
  } catch (error) {
    if (error instanceof Problem && error.status < 500) {
      await undoRun(stores, run)
      await failRun(stores.db, runId, error.message)
    }
    throw error
  }
}

async function runUntilSettled(stores: Stores, report: Template, run: UndoneRun, progress: Progress) {
  for (let tries = 0; tries < maxAttempts; tries++) {
    const done = await runOnce(stores, report, run, progress).catch((error: unknown) => {
      if (error instanceof RunCancelled) return undefined
      if (error instanceof SnapshotChanged) return 'changed' as const
      throw error
    })
    if (done !== 'changed') return done
  }
  return conflict('Scans kept changing the data while the report ran. Try again later.')
}

async function runOnce(
  stores: Stores,
  report: Template,
  run: UndoneRun,
  progress: Progress,
): Promise<ReportResult | undefined> {
  const { parameters, daysAsOf } = report
  const { id, reportTag } = run
  const search = { type: report.type, parameters: rolledTo(today(), parameters, daysAsOf) }
  if (!(await progress({}))) return undefined
  const limits = await limitsOf(stores.db, report.ownerId)
  await keepLimits(stores, run, limits)
  const all = await findAll(stores, id, search, limits)
  const { found } = all
  const toTag = found.files + found.folders
  const reached = (tagged: number): ReportResult => ({ ...found, tagged, toTag })
  const isTagged = await tagFound(stores, { ...run, ...all, ownerId: report.ownerId }, (tagged) =>
    progress(reached(tagged)),
  )
  if (!isTagged) return undefined
  const check = await endRun(stores, { ...report, parameters: search.parameters }, { ...all, runId: id, reportTag })
  await forgetOldRuns(stores, report.id)
  return { ...reached(toTag), ...(check && reasonOf(check)) }
}

const reasonOf = ({ state, reason }: CheckResult): Pick<ReportResult, 'reason'> =>
  state === 'PASSED' ? {} : { reason: `Check ${stateVerbs[state]}: ${reason}` }

type SearchParameters = Parameters<typeof selectFound>[2]

/** Searches and stores the results, all from one snapshot. */
const findAll = (stores: Stores, runId: number, search: SearchParameters, limits: ReportLimits): Promise<RunFindings> =>
  withVersionsKept(stores.db, async () => {
    // Folders above what the owner sees are neither counted nor tagged.
    const snapshot = { ...(await settledSnapshot(stores, limits.scope)), withoutAbove: true }
    if (snapshot.volumes.length === 0) conflict('There is no data indexed')
    const { found, total } = await selectFound(stores, snapshot, search, limits.scope)
    await keepFound(stores.clickhouse, runId, found)
    const totals = await countEntries(stores.clickhouse, total)
    return {
      limits,
      snapshot,
      found: await countEntries(stores.clickhouse, rowsOfRun(runId)),
      total: totals,
      unsearched: await unsearchedData(stores.db, snapshot, search.parameters, { ...totals, scope: limits.scope }),
    }
  })
