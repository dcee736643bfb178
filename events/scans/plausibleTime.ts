/**
 * Seconds by which a time of a file may be later than its scan. The clocks of file servers and writing machines differ, and some store local
 * time as UTC, which is up to 14 hours ahead.
 */
export const allowedClockSkew = 86_400

/**
 * Returns a time of a file, or 0 (unknown) if it can't be right: before 1970 or at its very start, which stands for a missing time, or later
 * than its scan. Seconds UTC. A change before the creation is plausible, because copies keep the times of their originals.
 */
export const plausibleTime = (seconds: number, scannedAt: number): number =>
  seconds > 0 && seconds <= scannedAt + allowedClockSkew ? seconds : 0
