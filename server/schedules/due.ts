import { timesAfter } from '#server/platform/cron.ts'

/** How long after it was due a run is still made up for, in milliseconds. */
const madeUpWithin = 60 * 60 * 1000

/** What is to be done of the times since a schedule was looked after last. */
export type Due = {
  /** The time that is run now: the last one, unless it is too long ago. */
  run: Date | undefined
  /** The first of the times that nothing is done for any more. */
  missed: Date | undefined
  /** When to look again; null when no time is left. */
  next: Date | null
}

/**
 * Of all times from `first`, which is over, to now the last one is run, and that only within an hour. The next one is later
 * than now.
 */
export function dueBy(cron: string, first: Date, now: Date): Due {
  const oldest = new Date(now.getTime() - madeUpWithin)
  let run = first >= oldest ? first : undefined
  for (const time of timesAfter(cron, run ?? oldest)) {
    if (time > now) return { run, missed: run === first ? undefined : first, next: time }
    run = time
  }
  return { run, missed: run === first ? undefined : first, next: null }
}
