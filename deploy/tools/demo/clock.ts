/*
 * The history of the demo is written by the product itself, which dates everything by its clock. So the process that writes it
 * gets another one. Timers are not affected.
 */
const RealDate = Date
let aheadMs = 0

/** Sets the clock of this process to a moment in seconds UTC. Other processes and the stores keep theirs. */
export function setClock(seconds: number): void {
  aheadMs = seconds * 1_000 - RealDate.now()
  globalThis.Date = ShiftedDate as DateConstructor
}

/** The real time in seconds UTC, also after `setClock`. */
export const realSeconds = (): number => RealDate.now() / 1_000

/** A time of day, such as 6.5 for 6:30, that many days before the real today, in local time; seconds UTC. */
export function hourAgo(days: number, hour: number): number {
  const day = new RealDate()
  day.setDate(day.getDate() - days)
  return Math.floor(day.setHours(0, hour * 60, 0, 0) / 1_000)
}

const now = (): number => RealDate.now() + aheadMs

class ShiftedDate extends RealDate {
  constructor(...values: [] | ConstructorParameters<DateConstructor>) {
    if (values.length === 0) super(now())
    else super(...(values as [number]))
  }

  static override now(): number {
    return now()
  }
}
