import { useState } from 'react'
import { useQuery } from './address.ts'

/**
 * The row that a form edits, 'new' for an empty form, or undefined while it is closed. A link with `?add=` opens the empty
 * form; closing it removes the parameter. `link` is its value, or true for any.
 */
export function useOpenedForm<Row = never>(
  link: string | boolean = true,
): [Row | 'new' | undefined, (row: Row | 'new' | undefined) => void] {
  const [query, change] = useQuery()
  const [opened, set] = useState<Row | 'new'>()
  const isLinked = link === true ? query.has('add') : query.get('add') === link
  const open = (row: Row | 'new' | undefined) => {
    set(row)
    if (isLinked) change((query) => query.delete('add'), { replace: true })
  }
  return [opened ?? (isLinked ? 'new' : undefined), open]
}
