import type { StorageSize } from '#events/dashboard.ts'

/** The storages that the figures count, and how calls and the search are told of them; nothing where it is all of them. */
export function chosenStorages(storages: readonly StorageSize[], leftOut: readonly number[]) {
  const chosen = storages.filter(({ volumeId }) => !leftOut.includes(volumeId))
  const ids = chosen.map(({ volumeId }) => volumeId)
  return { chosen, volumeId: chosen.length === storages.length ? undefined : ids }
}
