import { streamNames } from '#events/streams.ts'
import { change } from '#server/platform/log/change.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { judge } from './checks.ts'
import type { Counts } from './foundEntries.ts'
import { type Template, tellOfRun } from './tellOfRun.ts'

export type Ended = { runId: number; indexingDate: string; reportTag: string; found: Counts; total: Counts }

/** Writes what a run came to, judges it, and tells those who are to be told: all once, however often the run is begun. */
export const endRun = ({ db, live }: Pick<Platform, 'db' | 'live'>, report: Template, ended: Ended): Promise<void> =>
  change({ db, live }, system, ['reports'], async ({ trx, recordFact }) => {
    const { runId, found, total, indexingDate, reportTag } = ended
    const check = judge(report.checks, found, await foundBefore(trx, report.id, runId))
    const figures = {
      numberOfFilesFound: found.files,
      numberOfFilesTotal: total.files,
      numberOfFoldersFound: found.folders,
      numberOfFoldersTotal: total.folders,
      sizeOfFilesFound: found.bytes,
      sizeOfFilesTotal: total.bytes,
    }
    const checked = { checkState: check?.state ?? null, checkReason: check?.reason ?? null }
    await trx
      .updateTable('reportRuns')
      .set({ ...figures, ...checked, indexingDate, reportTag, isKept: true, status: 'SUCCESS', endedAt: new Date() })
      .where('id', '=', runId)
      .execute()
    const event = { type: 'ReportRan', name: report.name, runId, indexingDate, ...figures, check }
    await recordFact(streamNames.report(report.id), event)
    await tellOfRun(trx, report, event)
  })

async function foundBefore(trx: Trx, templateId: number, runId: number) {
  const row = trx
    .selectFrom('reportRuns')
    .select(['numberOfFilesFound as files', 'sizeOfFilesFound as bytes'])
    .where('templateId', '=', templateId)
    .where('id', '<', runId)
    .where('indexingDate', 'is not', null)
    .orderBy('id', 'desc')
  const before = await row.limit(1).executeTakeFirst()
  return before && { files: before.files ?? 0, bytes: before.bytes ?? 0 }
}

/** Keeps why a run came to nothing. */
export async function failRun(db: Db, runId: number, reason: string): Promise<void> {
  const failed = { status: 'FAILURE', reason, endedAt: new Date() } as const
  await db.updateTable('reportRuns').set(failed).where('id', '=', runId).execute()
}
