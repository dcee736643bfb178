import { invalid } from '#server/platform/problem.ts'

/** Throws 400 for an unknown sort column; the message lists the valid ones. */
export function checkSort<Column extends string>(
  sort: string,
  sortable: readonly Column[] | Readonly<Record<Column, unknown>>,
): asserts sort is Column {
  const columns: readonly string[] = Array.isArray(sortable) ? sortable : Object.keys(sortable)
  if (!columns.includes(sort)) invalid('sort', `must be one of ${columns.join(', ')}`)
}
