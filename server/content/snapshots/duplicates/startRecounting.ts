import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { recountDuplicates } from './recountDuplicates.ts'

/** Milliseconds between checks for changed volumes of the newest date. */
const intervalMs = 2_000
const quietMs = 60_000

/** Updates the groups of duplicates when volumes are removed from the newest date. */
export const startRecounting = (platform: Platform): Running =>
  runEvery(
    intervalMs,
    () => recountDuplicates(platform),
    'could not count the duplicates of the newest date, will retry',
    platform.log,
    quietMs,
  )
