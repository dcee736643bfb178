import { z } from 'zod'
import { Day } from './days.ts'
import { IdNumber } from './endpoint.ts'

const maxStorages = 1000

const StorageIds = z.preprocess(separated, z.array(IdNumber).max(maxStorages)).default([])
/** Reads a value that is given once, several times, or separated by commas, as a list. */
export function separated(value: unknown): unknown {
  const items: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item])).filter((item) => item !== '')
}

/** Storages of a list, by any of their names. All storages if none is named. */
export const Storages = z
  .object({ storageId: StorageIds, volumeId: StorageIds, storageIds: StorageIds })
  .transform(({ storageId, volumeId, storageIds }) => ({ storages: [...storageId, ...volumeId, ...storageIds] }))

/** The earlier day of a comparison. */
export const PreviousDate = z.object({ previousDate: Day })
