import type { StorageSize } from '#events/dashboard.ts'

const archives = ['Archives', 'Archiware']
const fileStorages = ['crawl.files', 'NetworkVolume', 'DellPowerScale']

/** What kind of storage it is, in words. */
export const kindOf = ({ type }: Pick<StorageSize, 'type'>): string =>
  fileStorages.includes(type) ? 'File storage' : archives.includes(type) ? 'Archive storage' : 'Object storage'

/** How much of a storage is in use, of 1; undefined where it does not tell its capacity. */
export const usedShare = ({ used, total }: StorageSize): number | undefined =>
  used === null || !total ? undefined : used / total

const byFullness = (a: StorageSize, b: StorageSize) =>
  (usedShare(b) ?? -1) - (usedShare(a) ?? -1) || b.sizeOfFiles - a.sizeOfFiles

/** The storages by kind, in each the fullest first; those of unknown capacity last, by the size of their files. */
export function kindsOf(storages: StorageSize[]): { kind: string; storages: StorageSize[] }[] {
  const kinds = Map.groupBy(storages, kindOf)
  return [...kinds].map(([kind, members]) => ({ kind, storages: members.toSorted(byFullness) }))
}
