import { maxCallMs } from '#server/platform/clickhouse/forCaller.ts'
import type { Platform } from '#server/platform/platform.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { dropReplacedGenerations } from '#server/content/snapshots/commit/leftovers.ts'
import { withClearingLockIfFree } from '#server/content/snapshots/locks.ts'
import { removeEnded } from './removeEnded.ts'
import { removeUnshown } from './removeUnshown.ts'

/** Milliseconds between checks for data to remove. */
const intervalMs = 2_000
const quietMs = 60_000
/** Milliseconds that replaced or deleted data is kept: longer than any call may run, so none still reads it. */
const keepMs = maxCallMs + 60_000

/**
 * Removes data that no query can read: replaced generations, rows that layers ended, and data shown only by deleted snapshots. The latter
 * depends on today's date.
 */
export const startClearing = (platform: Platform): Running =>
  runEvery(
    intervalMs,
    () =>
      withClearingLockIfFree(platform.db, async () => {
        await dropReplacedGenerations(platform, keepMs)
        await removeEnded(platform, keepMs)
        await whileClockIsPlausible(platform.db, () => removeUnshown(platform, keepMs))
      }),
    'could not remove unused data, will retry',
    platform.log,
    quietMs,
  )
