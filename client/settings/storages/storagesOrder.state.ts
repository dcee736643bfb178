import { proxy } from 'valtio'
import { storageSorts } from '#events/storages.ts'
import type { Sort } from '../../ui/column.ts'

const usual: Sort = { field: 'CREATED_AT', direction: 'desc' }
const key = 'storagesOrder'

/** In which order storages are listed, as this browser remembers it. */
export const storagesOrder = proxy<Sort>(read())

export function orderStorages(sort: Sort): void {
  Object.assign(storagesOrder, sort)
  localStorage.setItem(key, `${sort.field},${sort.direction}`)
}

function read(): Sort {
  const [field = '', direction] = localStorage.getItem(key)?.split(',') ?? []
  const isKnown = (storageSorts as readonly string[]).includes(field)
  return isKnown && (direction === 'asc' || direction === 'desc') ? { field, direction } : usual
}
