import { streamNames } from '#events/streams.ts'
import { storedBytes } from '#events/scans/entryLimits.ts'
import { change } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { limitsOf } from '#server/work/reports/reportLimits.ts'
import { type CheckResult, evaluateChecks } from './checks.ts'
import type { RunFindings, Template } from './run.ts'
import { filesOfRun } from './runFiles.ts'
import { shouldNotify, notifyRecipients } from './notifyRecipients.ts'
import { SnapshotChanged } from './tagFound.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live' | 'log'>
export type RunOutcome = RunFindings & { runId: number; reportTag: string }

/**
 * Evaluates a run's checks, stores the result, and notifies the recipients: each once, even if the run is restarted.
 * Returns the check result; throws `RunCancelled`, and `SnapshotChanged` if the owner sees something else meanwhile.
 */
export async function endRun(stores: Stores, report: Template, ended: RunOutcome): Promise<CheckResult | undefined> {
  const { runId, limits, found, total, reportTag, snapshot, unsearched } = ended
  const { indexingDate } = snapshot
  const check = evaluateChecks(report.checks, {
    found,
    before: await foundBefore(stores.db, report.id, runId, limits.key),
    unsearched,
  })
  const figures = {
    numberOfFilesFound: found.files,
    numberOfFilesTotal: total.files,
    numberOfFoldersFound: found.folders,
    numberOfFoldersTotal: total.folders,
    sizeOfFilesFound: storedBytes(found.bytes),
    sizeOfFilesTotal: storedBytes(total.bytes),
  }
  const isMailed = report.delivery.addresses.length > 0 && shouldNotify(report, check)
  const files = isMailed ? await filesOfRun(stores, report, { runId, limits, snapshot, ...figures, check }) : []
  await change(stores, system, ['reports'], async ({ trx, recordFact }) => {
    if ((await limitsOf(trx, report.ownerId)).key !== limits.key) throw new SnapshotChanged()
    const checked = { checkState: check?.state ?? null, checkReason: check?.reason ?? null }
    const ended = await trx
      .updateTable('reportRuns')
      .set({ ...figures, ...checked, indexingDate, reportTag, isKept: true, status: 'SUCCESS', endedAt: new Date() })
      .where('id', '=', runId)
      .where('status', '=', 'NEW')
      .returning('callsWebhook')
      .executeTakeFirst()
    if (!ended) throw new RunCancelled()
    const event = { type: 'ReportRan', name: report.name, runId, indexingDate, ...figures, check }
    await recordFact(streamNames.report(report.id), event)
    await notifyRecipients(
      trx,
      { ...report, ...(!ended.callsWebhook && { webhook: null }) },
      { ...event, limits },
      files,
    )
  })
  return check
}

/** The run was cancelled, or its report deleted. */
export class RunCancelled extends Error {}

/** Figures that were counted within the same limits. */
async function foundBefore(db: Db, templateId: number, runId: number, limits: string | null) {
  const row = db
    .selectFrom('reportRuns')
    .select(['numberOfFilesFound as files', 'sizeOfFilesFound as bytes'])
    .where('templateId', '=', templateId)
    .where('id', '<', runId)
    .where('indexingDate', 'is not', null)
    .where('limits', 'is not distinct from', limits)
    .orderBy('id', 'desc')
  const before = await row.limit(1).executeTakeFirst()
  return before && { files: before.files ?? 0, bytes: before.bytes ?? 0 }
}
