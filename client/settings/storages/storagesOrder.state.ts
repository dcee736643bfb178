import { proxy } from 'valtio'
import { remembered } from '#client/ui/remembered.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { storageSorts } from './storageOrder.ts'

const kept = remembered<Sort>(
  'storagesOrder',
  { read: readOrder, write: ({ field, direction }) => `${field},${direction}` },
  { field: 'used', direction: 'desc' },
)

/** Sort order of the storages, kept in this browser. */
export const storagesOrder = proxy<Sort>(kept.read())

export function orderStorages(sort: Sort): void {
  Object.assign(storagesOrder, sort)
  kept.write(sort)
}

function readOrder(text: string): Sort | undefined {
  const [field = '', direction] = text.split(',')
  const isKnown = Object.hasOwn(storageSorts, field)
  return isKnown && (direction === 'asc' || direction === 'desc') ? { field, direction } : undefined
}
