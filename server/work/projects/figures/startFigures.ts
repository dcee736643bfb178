import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { withFiguresLockIfFree } from '#server/content/snapshots/index.ts'
import { fillFigures } from './fillFigures.ts'

/**
 * Milliseconds between notifications of browsers while old dates are counted. Replicas receive them too, and check
 * again for missing figures.
 */
const notifyIntervalMs = 10_000

/** After these changes other folders may be tracked, or dates may show different data. */
const telling: readonly ChangeTopic[] = ['projects', 'snapshots', 'volumes', 'configurations']

/**
 * Counts the folders of projects on each date: soon after a snapshot was committed or folders changed, the newest date
 * first. One replica at a time does this; without changes it checks only every ten minutes.
 */
export function startFigures(platform: Platform): Running {
  const teller = openTeller(platform)
  const failed = 'could not count the figures of projects, will retry'
  return runOnChange(platform, { topics: telling, failed }, (signal, isOutrun) =>
    withFiguresLockIfFree(platform.db, () => fillAll(platform, teller, signal, isOutrun)),
  )
}

/** Notifies browsers of new figures: from time to time, and at the end. */
function openTeller({ live }: Pick<Platform, 'live'>) {
  let untold = 0
  let toldAt = 0
  const tell = () => {
    if (untold === 0) return
    untold = 0
    toldAt = Date.now()
    live({ type: 'changed', topics: ['projects'] })
  }
  const filled = () => {
    untold += 1
    if (Date.now() - toldAt >= notifyIntervalMs) tell()
  }
  return { filled, tell }
}

/** Counts everything that is missing, and notifies browsers along the way. */
export async function fillAll(
  platform: Pick<Platform, 'db' | 'clickhouse' | 'log' | 'live'>,
  { filled, tell } = openTeller(platform),
  signal = new AbortController().signal,
  isOutrun = () => false,
): Promise<void> {
  if (await fillFigures(platform, { signal, isOutrun, filled })) tell()
}
