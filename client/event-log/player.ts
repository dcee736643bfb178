/** How many times faster than it happened. */
export const speeds = [1, 10, 100, 1_000] as const
export type Speed = (typeof speeds)[number]

/** Events that follow each other more quickly are shown together. Milliseconds. */
const frame = 40
/** A longer pause is cut to this, so that a night without events is no night before the screen. Milliseconds. */
const longestWait = 3_000

/** Which event is shown next while playing and after what wait; undefined at the end. `moments` in milliseconds. */
export function nextStep(
  moments: readonly number[],
  index: number,
  speed: Speed,
): { index: number; wait: number } | undefined {
  if (index >= moments.length - 1) return undefined
  const gapAfter = (at: number) => Math.max(0, (moments[at + 1] ?? 0) - (moments[at] ?? 0)) / speed
  const wait = Math.min(longestWait, gapAfter(index))
  let next = index + 1
  for (let gone = gapAfter(next); gone < frame && next < moments.length - 1; gone += gapAfter(next)) next += 1
  return { index: next, wait: Math.max(frame, wait) }
}
