/** Milliseconds that a lookup on a fast disk takes at most; one in the kernel's memory takes 0.002. */
const fastMs = 0.04
/** Lookups of which one is measured, and slow ones, above the fast, that show a slow disk. */
const lookupsPerSample = 16
const slowSamples = 8

/** Measures some of the lookups that are made one after another, and notices a storage that should get many at once. */
export function newLookupPace() {
  let lookups = 0
  let slow = 0
  return {
    /** True for a lookup that is to be measured. */
    isSample: (): boolean => ++lookups % lookupsPerSample === 0,
    measured(ms: number): void {
      slow = ms > fastMs ? Math.min(slow + 1, slowSamples) : Math.max(slow - 1, 0)
    },
    isSlow: (): boolean => slow === slowSamples,
    /** Measures from scratch. */
    forget(): void {
      slow = 0
    },
  }
}
export type LookupPace = ReturnType<typeof newLookupPace>
