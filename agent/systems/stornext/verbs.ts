import type { StorageManagerOrder } from '#events/actions/orders.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/contract/fileNames.ts'
import type { Look } from './fileInfo.ts'
import { isForeignLocation } from './unconfirmed.ts'

export type Order = Pick<StorageManagerOrder, 'verb' | 'relocate'>

/** State of a file on the server, and of its new path if it is relocated. */
export type Situation = {
  order: Order
  file: PlannedFile
  source: Look
  target: Look | undefined
  targetPath: string | undefined
}

/** State of a file: done, open, never possible, or open with a file that is already at its new path. */
export type State = 'done' | 'open' | 'impossible' | 'taken'

/** Path of a relocated file, in a folder for each folder of the storage. */
export function targetPathOf({ relocate }: Order, { pathInStorage }: PlannedFile): string | undefined {
  return relocate === null ? undefined : `${relocate.replace(/\/+$/, '')}/${pathInStorage.replace(/^\/+/, '')}`
}

/** Decides from the state of the server alone, so that nothing that is done is requested again. */
export function stateOf({ order, file, source, target, targetPath }: Situation): State {
  const stored = source.file
  if (!stored || !isText(file.place) || !isText(targetPath ?? '')) return 'impossible'
  if (order.verb === 'store') return stored.isSafe ? 'done' : isForeignLocation(stored.location) ? 'impossible' : 'open'
  if (targetPath === undefined) return stored.isOnDisk ? 'done' : 'open'
  if (targetPath === file.place) return 'impossible'
  if (!target?.file) return 'open'
  return target.file.size === stored.size ? 'done' : 'taken'
}
