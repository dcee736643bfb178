import { proxy } from 'valtio'

/** The storages that the figures of the dashboard leave out. */
export const storageSelection = proxy<{ leftOut: number[] }>({ leftOut: [] })

export const selectStorages = (volumeIds: number[], isSelected: boolean): void => {
  const others = storageSelection.leftOut.filter((id) => !volumeIds.includes(id))
  storageSelection.leftOut = isSelected ? others : [...others, ...volumeIds]
}
