import { proxy } from 'valtio'

/** Storages excluded from the figures of the dashboard. */
export const storageSelection = proxy<{ leftOut: number[] }>({ leftOut: [] })
