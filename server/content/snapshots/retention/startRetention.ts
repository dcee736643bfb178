import { configuredValues } from '#server/access/configurations/index.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { today } from '#server/platform/days.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { markUnshown } from './deleteSnapshot.ts'
import { withRetentionLockIfFree } from '#server/content/snapshots/locks.ts'
import { deleteExpired } from './retention.ts'

/** Milliseconds between checks for a new day. */
const intervalMs = 10 * 60_000

type Dependencies = Pick<Platform, 'db' | 'live' | 'log'>

/** Once a day, and when the server starts, removes data older than configured; in one replica. */
export function startRetention({ db, live, log }: Dependencies): Running {
  let lastDay: string | undefined
  const removeExpired = async () => {
    const day = today()
    await withRetentionLockIfFree(db, async () => {
      if ((await clean(db, day)) > 0) live({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
    })
    lastDay = day
  }
  const round = async () => {
    if (lastDay !== today()) await whileClockIsPlausible(db, removeExpired)
  }
  return runEvery(intervalMs, round, 'could not delete expired snapshots, will retry', log)
}

/**
 * Deletes the snapshots that have expired on a day, and data of deleted files no longer listed; returns the number of
 * dates.
 */
export async function clean(db: Db, day: string): Promise<number> {
  const settings = await configuredValues(db, 'snapshotNumberOfDays', 'snapshotKeepFirstDayOfMonth')
  const snapshotNumberOfDays = Number(settings.snapshotNumberOfDays)
  const snapshotKeepFirstDayOfMonth = settings.snapshotKeepFirstDayOfMonth === 'true'
  const gone = await deleteExpired(db, { snapshotNumberOfDays, snapshotKeepFirstDayOfMonth }, day, system)
  if (gone.length > 0) wakeFollowers()
  const volumes = await db.selectFrom('volumes').select('id').where('committedScan', 'is not', null).execute()
  if (volumes.length > 0)
    await db.transaction().execute((trx) =>
      markUnshown(
        trx,
        volumes.map(({ id }) => id),
      ),
    )
  return gone.length
}
