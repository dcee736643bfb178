/** Made-up numbers that are the same for the same seed. */
export type Random = {
  /** A whole number from `min` to `max`. */
  int(min: number, max: number): number
  pick<T>(values: readonly [T, ...T[]]): T
}

/** A generator of numbers (mulberry32, public domain): quick, and good enough for file sizes. */
export function newRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return { int, pick: (values) => values[int(0, values.length - 1)] ?? values[0] }
}
