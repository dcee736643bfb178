/** What a test file waits for before its own assertions. */
export const phases = ['product', 'engine', 'nats', 'scan', 'browser'] as const
export type Phase = (typeof phases)[number]

/** Milliseconds by phase of the test file that runs. */
export const phaseTimes: Partial<Record<Phase, number>> = {}

/** Does the work and counts how long it took to a phase; phases that run beside each other count each. */
export async function measured<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    phaseTimes[phase] = (phaseTimes[phase] ?? 0) + performance.now() - started
  }
}
