/** Delays between polls in milliseconds, each longer than the one before. */
export function* pollDelays({
  minPollMs,
  maxPollMs,
}: {
  minPollMs: number
  maxPollMs: number
}): Generator<number, never> {
  for (let delayMs = minPollMs; ; delayMs = Math.min(delayMs * 1.5, maxPollMs)) yield delayMs
}
