import { proxy } from 'valtio'
import { storageSorts } from '#events/storages.ts'
import { remembered } from '#client/ui/remembered.ts'
import type { Sort } from '#client/ui/table/column.ts'

const defaultOrder: Sort = { field: 'CREATED_AT', direction: 'desc' }
const kept = remembered(
  'storagesOrder',
  { read: readOrder, write: ({ field, direction }: Sort) => `${field},${direction}` },
  defaultOrder,
)

/** Sort order of the storages, kept in this browser. */
export const storagesOrder = proxy<Sort>(kept.read())

export function orderStorages(sort: Sort): void {
  Object.assign(storagesOrder, sort)
  kept.write(sort)
}

function readOrder(text: string): Sort | undefined {
  const [field = '', direction] = text.split(',')
  const isKnown = (storageSorts as readonly string[]).includes(field)
  return isKnown && (direction === 'asc' || direction === 'desc') ? { field, direction } : undefined
}
