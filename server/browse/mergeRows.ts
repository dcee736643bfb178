import type { Last, Order } from '#server/entries/index.ts'

/**
 * The rows of several lists as one, folders before files. Each list is in that order already and then in the one that `inOrder`
 * makes; the engine compares texts by their bytes in UTF-8.
 */
export function mergeRows<Row extends Last>(lists: readonly Row[][], { direction }: Order): Row[] {
  const rows = lists.flat()
  if (lists.length === 1) return rows
  const sign = direction === 'asc' ? 1 : -1
  // Sorting finds the lists that are in order and merges them.
  return rows.sort(
    (a, b) =>
      Number(b.is_directory) - Number(a.is_directory) ||
      sign * compareKeys(a.sortKey, b.sortKey) ||
      byBytes(a.parent_path, b.parent_path) ||
      byBytes(a.name, b.name) ||
      a.volume - b.volume,
  )
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byBytes(String(a), String(b))

/** JavaScript itself compares units of UTF-16, of which those of an emoji come before those of some letters. */
const byBytes = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)))
