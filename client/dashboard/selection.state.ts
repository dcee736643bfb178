import { proxy } from 'valtio'

/** Storages excluded from the figures of the dashboard. */
export const storageSelection = proxy<{ leftOut: number[] }>({ leftOut: [] })

export const selectStorages = (volumeIds: number[], isSelected: boolean): void => {
  const others = storageSelection.leftOut.filter((id) => !volumeIds.includes(id))
  storageSelection.leftOut = isSelected ? others : [...others, ...volumeIds]
}
