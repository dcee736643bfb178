import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { goneNotes, storagePhrases } from './alertOnVolumes.ts'
import type { AlertOutcome } from './evaluation.ts'
import { withinText } from './growth.ts'
import { type ObjectAlert, reportObjects, type Watch } from './reportObjects.ts'

type ScanAlert = Omit<ObjectAlert, 'threshold' | 'clearThreshold'> & { volumeIds: number[] }

/** Objects are reported at 100 percent. */
const limits = { threshold: 100, clearThreshold: 100 }

/** Reports the storages whose newest scan failed. Cancelled scans don't count. */
export async function alertOnFailedScans(trx: Trx, alert: ScanAlert): Promise<AlertOutcome> {
  const volumes = await scansOf(trx, alert.volumeIds)
  const watches = volumes.map(({ id, name, state, reason, finishedAt }): Watch => {
    const isFailed = state === 'failed'
    const line = isFailed ? `${reason ?? 'no reason given'}, on ${dayText(finishedAt)}` : 'scanned'
    return { id, name, percent: isFailed ? 100 : 0, text: `${name}: last scan failed`, line }
  })
  return reportObjects(
    trx,
    { ...alert, ...limits },
    {
      watches,
      notes: await goneNotes(trx, volumes, alert.volumeIds),
      phrases: { ...storagePhrases, has: 'a failed scan', more: '' },
    },
  )
}

const dayMs = 86_400_000

/** Reports the storages without a completed scan for a number of days. Storages without any count from when they were added. */
export async function alertOnOverdueScans(trx: Trx, alert: ScanAlert & { days: number }): Promise<AlertOutcome> {
  const volumes = await scansOf(trx, alert.volumeIds)
  const watches = volumes.map(({ id, name, createdAt, completedAt }): Watch => {
    const days = (alert.at.getTime() - (completedAt ?? createdAt).getTime()) / dayMs
    const since = completedAt
      ? `last scanned on ${dayText(completedAt)}`
      : `never scanned, added on ${dayText(createdAt)}`
    const text = `${name}: not scanned for ${withinText(Math.floor(days))}`
    return { id, name, percent: (days / alert.days) * 100, text, line: since }
  })
  const overdue = `not been scanned for ${withinText(alert.days)}`
  return reportObjects(
    trx,
    { ...alert, ...limits },
    {
      watches,
      notes: await goneNotes(trx, volumes, alert.volumeIds),
      phrases: { ...storagePhrases, has: overdue, more: '' },
    },
  )
}

/** In the server's time zone. */
const dayText = (at: Date | null): string => (at ? at.toLocaleDateString('sv-SE') : '-')

/** All storages, or some, with their newest scan that completed or failed, and the time of the last completed one. */
export const scansOf = (db: Db | Trx, ids?: number[]) =>
  db
    .selectFrom('volumes')
    .leftJoin('scans as committed', 'committed.id', 'volumes.committedScan')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('scans')
          .select(['state', 'reason', 'finishedAt'])
          .whereRef('scans.volumeId', '=', 'volumes.id')
          .where('state', 'in', ['done', 'partial', 'failed'])
          .orderBy('scans.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['volumes.id', 'volumes.name', 'volumes.createdAt', 'committed.finishedAt as completedAt'])
    .select(['last.state', 'last.reason', 'last.finishedAt'])
    .where('volumes.deletedAt', 'is', null)
    .$if(ids !== undefined, (some) => some.where('volumes.id', 'in', ids ?? []))
    .orderBy('volumes.name')
    .orderBy('volumes.id')
    .execute()
