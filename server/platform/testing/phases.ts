/** Phases of a test file before its own assertions. */
export const phases = ['product', 'engine', 'nats', 'scan', 'browser'] as const
export type Phase = (typeof phases)[number]

/** Milliseconds by phase, for the running test file. */
export const phaseTimes: Partial<Record<Phase, number>> = {}

/** Runs work and adds its duration to a phase; concurrent phases count each. */
export async function measured<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    phaseTimes[phase] = (phaseTimes[phase] ?? 0) + performance.now() - started
  }
}
