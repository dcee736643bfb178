import type { ReactNode } from 'react'
import { countText } from '#client/ui/text/count.ts'
import classes from './Boards.module.css'

type WallListProps<T> = {
  title: string
  /** Unknown until they were read. */
  rows: readonly T[] | undefined
  rowKey: (row: T) => string | number
  /** What is said where there is nothing. */
  empty: string
  /** Where it shares its place with another list, how many rows there is room for. */
  most?: number
  children: (row: T) => ReactNode
}

/** So many rows are legible on a wall; of the others it says how many there are. */
const mostRows = 10

export function WallList<T>({ title, rows, rowKey, empty, most = mostRows, children }: WallListProps<T>) {
  const more = (rows?.length ?? 0) - most
  return (
    <section className={classes.list}>
      <h2 className={classes.listTitle}>{title}</h2>
      {!rows ? (
        <NotKnownYet />
      ) : rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ul className={classes.rows}>
          {rows.slice(0, most).map((row) => (
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

/** Stands where the server did not tell yet what is there: that is not nothing. */
export const NotKnownYet = () => <p className={classes.empty}>Not known yet</p>
