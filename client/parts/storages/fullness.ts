import { type Capacity, usedShare } from '#events/capacity.ts'

type Sized = (Pick<Capacity, 'total' | 'used' | 'free'> & { sizeOfFiles: number }) | null | undefined

/** Order of storages, fullest first. Those of unknown capacity are last, by the size of their files. */
export const byFullness = (a: Sized, b: Sized): number =>
  shareOf(b) - shareOf(a) || (b?.sizeOfFiles ?? -1) - (a?.sizeOfFiles ?? -1)

const shareOf = (sized: Sized): number => (sized ? (usedShare(sized) ?? -1) : -2)
