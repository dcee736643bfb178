/** What a walk has seen so far. Bytes are those of files. */
export type Tally = { entries: number; directories: number; bytes: number; unreadable: number; queued: number }

export const nothing = (): Tally => ({ entries: 0, directories: 0, bytes: 0, unreadable: 0, queued: 0 })

export function sum(tallies: Iterable<Tally>): Tally {
  const total = nothing()
  for (const tally of tallies) for (const key of keys) total[key] += tally[key]
  return total
}

const keys = Object.keys(nothing()) as (keyof Tally)[]
