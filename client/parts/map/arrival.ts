import type { Layout } from './view.ts'

/** A zoom under way: where it leads, what was drawn before, and where the keys will be. */
type Arrival = { path: string; from: Layout; at: string | undefined; takesFocus: boolean }

/** The last zoom. Not in a component, for a screen may be drawn anew for each folder. */
let last: (Arrival & { end: number }) | undefined
/** Who comes to the folder later than that, in milliseconds, came by another way. */
const patience = 10_000

export function depart(arrival: Arrival): void {
  last = { ...arrival, end: performance.now() + patience }
}

/** How one came to a folder, when that was by a zoom of a map. */
export const arrivalAt = (path: string): Arrival | undefined =>
  last?.path === path && performance.now() < last.end ? last : undefined
