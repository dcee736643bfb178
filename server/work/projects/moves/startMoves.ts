import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { checkMoves } from './checkMoves.ts'

/** After these changes there may be a new scan, or a new folder to look for. */
const topics: readonly ChangeTopic[] = ['projects', 'snapshots', 'volumes']

/** Looks for the folders of projects after each commit. Replicas may do so at the same time: only the first one records. */
export const startMoves = (platform: Platform): Running =>
  runOnChange(platform, { topics, failed: 'could not look for moved folders of projects, will retry' }, (signal) =>
    checkMoves(platform, signal),
  )
