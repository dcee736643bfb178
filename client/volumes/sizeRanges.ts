import { largerSize, sizeBuckets } from '#events/storages.ts'

/** A range of sizes as bars say it, in bytes, both included. */
type SizeRange = {
  key: string
  label: string
  short: string
  least: number | undefined
  most: number | undefined
}

const spaced = (key: string) => key.replace(/(\d)(\D)/, '$1 $2')

/** The ranges by which files are counted, smallest first. */
export const sizeRanges: SizeRange[] = [
  ...sizeBuckets.map(({ key, below }, place) => {
    const before = sizeBuckets[place - 1]
    return {
      key,
      label: before ? `${spaced(before.key)} to ${spaced(key)}` : `Under ${spaced(key)}`,
      short: spaced(key),
      least: before?.below,
      most: below - 1,
    }
  }),
  ...sizeBuckets.slice(-1).map(({ key, below }) => ({
    key: largerSize,
    label: `${spaced(key)} and larger`,
    short: `>${spaced(key)}`,
    least: below,
    most: undefined,
  })),
]
