import type { Tls } from './listen.ts'

/** Options of every simulator that has a simulated clock. */
export type SimulatorOptions = {
  /** Port of `url`, or 0 for any. */
  port?: number
  tls?: Tls
  /** Time of the clock at the start, and its speed; see `Clock`. */
  clock?: { start?: number; speed?: number }
}
