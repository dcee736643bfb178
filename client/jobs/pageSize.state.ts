import { proxy } from 'valtio'

export const pageSizes = [10, 25, 50, 100, 250, 500, 1_000] as const
const usualSize = 25
const key = 'numberOfElementsJobs'

/** How many jobs a page has, as this browser remembers it. */
export const pageSize = proxy({ size: read() })

export function choosePageSize(size: number): void {
  pageSize.size = size
  localStorage.setItem(key, String(size))
}

function read(): number {
  const kept = Number(localStorage.getItem(key))
  return pageSizes.find((size) => size === kept) ?? usualSize
}
