import { longestCall } from '#server/platform/clickhouse/onBehalfOf.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { dropReplacedGenerations } from '#server/snapshots/commit/leftovers.ts'
import { withClearingLockIfFree } from '#server/snapshots/locks.ts'
import { removeUnshown } from './removeUnshown.ts'

/** How often it is looked for what is to go, in milliseconds. */
const every = 2_000
/** What was replaced or deleted stays longer than any call may ask, so that none still reads it. Milliseconds. */
const keptFor = longestCall + 60_000

/** Removes what no question can read any more: replaced generations, and what only deleted snapshots showed. */
export const startClearing = (platform: Platform): Running =>
  runEvery(
    every,
    () =>
      withClearingLockIfFree(platform.db, async () => {
        await dropReplacedGenerations(platform, keptFor)
        await removeUnshown(platform, keptFor)
      }),
    'What no snapshot shows could not be removed; it is tried again',
    platform.log,
  )
