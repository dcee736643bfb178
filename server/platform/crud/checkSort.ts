import { invalid } from '#server/platform/problem.ts'

/** Throws 400, which names the columns that a list can be sorted by, for any other word. */
export function checkSort<Column extends string>(
  sort: string,
  sortable: readonly Column[] | Readonly<Record<Column, unknown>>,
): asserts sort is Column {
  const columns: readonly string[] = Array.isArray(sortable) ? sortable : Object.keys(sortable)
  if (!columns.includes(sort)) invalid('sort', `must be one of ${columns.join(', ')}`)
}
