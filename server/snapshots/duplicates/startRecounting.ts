import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { recountDuplicates } from './recountDuplicates.ts'

/** How often it is looked whether the newest date came to show other volumes, in milliseconds. */
const every = 2_000

/** Keeps the groups of duplicates those of the newest date when volumes go from it. */
export const startRecounting = (platform: Platform): Running =>
  runEvery(
    every,
    () => recountDuplicates(platform),
    'The duplicates of the newest date could not be counted; it is tried again',
    platform.log,
  )
