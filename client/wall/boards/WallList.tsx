import type { ReactNode } from 'react'
import { countText } from '#client/ui/text/count.ts'
import classes from './Boards.module.css'

type WallListProps<T> = {
  title: string
  /** Undefined while loading. */
  rows: readonly T[] | undefined
  rowKey: (row: T) => string | number
  /** Text of the empty state. */
  empty: string
  /** Maximum rows, if it shares its space with another list. */
  max?: number
  children: (row: T) => ReactNode
}

/** Number of rows that are legible on a wall. The rest is counted. */
const maxRows = 8

export function WallList<T>({ title, rows, rowKey, empty, max = maxRows, children }: WallListProps<T>) {
  const more = (rows?.length ?? 0) - max
  return (
    <section className={classes.list}>
      <h2 className={classes.listTitle}>{title}</h2>
      {!rows ? (
        <NotKnownYet />
      ) : rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ul className={classes.rows}>
          {rows.slice(0, max).map((row) => (
            <li key={rowKey(row)} className={classes.row}>
              {children(row)}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={classes.more}>and {countText(more)} more</p>}
    </section>
  )
}

/** Placeholder for data that has not loaded yet, as opposed to an empty list. */
export const NotKnownYet = () => <p className={classes.empty}>Not known yet</p>
