import { capacityOf, usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import type { StorageState } from '#events/overview/storageStates.ts'
import { isSoonFull } from '#client/parts/storages/forecastWords.ts'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { byFullness } from '#client/parts/storages/fullness.ts'
import { usageLevel } from '#client/ui/values/usage.ts'

/** Totals of storages in bytes. Unknown values are not added. */
export type StorageTotals = {
  used: number
  free: number
  capacity: number
  sizeOfFiles: number
  /** Counts files with several hard links once. */
  countedSize: number
  files: number
  folders: number
  partial: number
}

export function storageTotals(storages: readonly StorageSize[]): StorageTotals {
  const sum = (of: (storage: StorageSize) => number | null) =>
    storages.reduce((total, storage) => total + Math.max(0, of(storage) ?? 0), 0)
  const { used, free, total } = capacityOf(storages)
  return {
    used,
    free,
    capacity: total,
    sizeOfFiles: sum(({ sizeOfFiles }) => sizeOfFiles),
    countedSize: sum(({ countedSize }) => countedSize),
    files: sum(({ numberOfFiles }) => numberOfFiles),
    folders: sum(({ numberOfFolders }) => numberOfFolders),
    partial: storages.filter(({ isPartial }) => isPartial).length,
  }
}

/** Selected storages, and their ids as a parameter for calls and links; undefined for all. */
export function chosenStorages(storages: readonly StorageSize[], leftOut: readonly number[]) {
  const chosen = storages.filter(({ volumeId }) => !leftOut.includes(volumeId))
  const ids = chosen.map(({ volumeId }) => volumeId)
  return { chosen, volumeId: chosen.length === storages.length ? undefined : ids }
}

/** A storage with its size in the snapshot, unless it isn't in it, and its scans now. */
export type StorageRow = Pick<StorageSize, 'volumeId' | 'name' | 'type'> & {
  fileSystem: string | null
  size: StorageSize | undefined
  state: StorageState | undefined
}

/** The storages of the snapshot, and those without a scan. */
export function rowsOf(sizes: readonly StorageSize[], states: readonly StorageState[]): StorageRow[] {
  const stateOf = new Map(states.map((state) => [state.volumeId, state]))
  const shown = new Set(sizes.map(({ volumeId }) => volumeId))
  return [
    ...sizes.map((size) => ({
      ...namesOf(size),
      fileSystem: size.fileSystem,
      size,
      state: stateOf.get(size.volumeId),
    })),
    ...states
      .filter(({ volumeId, isScanned }) => !isScanned && !shown.has(volumeId))
      .map((state) => ({ ...namesOf(state), fileSystem: null, size: undefined, state })),
  ]
}

const namesOf = ({ volumeId, name, type }: Pick<StorageSize, 'volumeId' | 'name' | 'type'>) => ({
  volumeId,
  name,
  type,
})

/** True for a storage without a current scan, or that is nearly full or soon will be. */
export function needsAttention({ size, state }: StorageRow): boolean {
  if (state && scanProblem(state) !== undefined) return true
  const share = size && usedShare(size)
  return (share !== undefined && usageLevel(share) !== 'ok') || (!!size?.forecast && isSoonFull(size.forecast))
}

/** Storages that need attention first, and the fullest among them. Unknown capacities are last. */
export const byNeed = (a: StorageRow, b: StorageRow): number =>
  Number(needsAttention(b)) - Number(needsAttention(a)) || byFullness(a.size, b.size)
