import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { withFiguresLockIfFree } from '#server/snapshots/index.ts'
import { fillFigures } from './fillFigures.ts'

/**
 * How often browsers are told while dates of long ago are counted, in milliseconds. Replicas hear it, too, and look anew for what is due.
 */
const tellEveryMs = 10_000

/** After these changes other folders may be tracked, or dates may show something else. */
const telling: readonly ChangeTopic[] = ['projects', 'snapshots', 'volumes', 'configurations']

/**
 * Counts what the folders of projects hold on each date: soon after a snapshot was committed or folders changed, all older dates
 * after the newest one. One replica does; nothing is asked while nobody says that something changed, but once in ten minutes.
 */
export function startFigures(platform: Platform): Running {
  const teller = openTeller(platform)
  const failed = 'The figures of projects could not be counted; it is tried again'
  return runOnChange(platform, { topics: telling, failed }, (signal, isOutrun) =>
    withFiguresLockIfFree(platform.db, () => fillAll(platform, teller, signal, isOutrun)),
  )
}

/** Tells browsers of figures that came to be known: now and then, and when all are. */
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
    if (Date.now() - toldAt >= tellEveryMs) tell()
  }
  return { filled, tell }
}

/** Counts all that is not known, and tells browsers of it as it goes on. */
export async function fillAll(
  platform: Pick<Platform, 'db' | 'clickhouse' | 'log' | 'live'>,
  { filled, tell } = openTeller(platform),
  signal = new AbortController().signal,
  isOutrun = () => false,
): Promise<void> {
  if (await fillFigures(platform, { signal, isOutrun, filled })) tell()
}
