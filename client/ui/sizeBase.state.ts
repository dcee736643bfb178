import { proxy } from 'valtio'
import type { SizeBase } from './text/size.ts'

const key = 'sizeBase'
const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)

/** In which powers this browser shows sizes. */
export const sizeSetting = proxy<{ base: SizeBase }>({ base: kept === '10' ? '10' : '2' })

export function chooseSizeBase(base: SizeBase): void {
  sizeSetting.base = base
  localStorage.setItem(key, base)
}
