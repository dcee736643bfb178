import type { StorageSize } from '#events/dashboard.ts'
import { storageKind } from '../parts/storages/storageKind.ts'
import { usedShare } from '../parts/storages/volumeWords.ts'

const byFullness = (a: StorageSize, b: StorageSize) =>
  (usedShare(b) ?? -1) - (usedShare(a) ?? -1) || b.sizeOfFiles - a.sizeOfFiles

/** The storages by kind, in each the fullest first; those of unknown capacity last, by the size of their files. */
export function kindsOf(storages: StorageSize[]): { kind: string; storages: StorageSize[] }[] {
  const kinds = Map.groupBy(storages, ({ type }) => storageKind(type))
  return [...kinds].map(([kind, members]) => ({ kind, storages: members.toSorted(byFullness) }))
}
