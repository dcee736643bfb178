import { Fragment, type ReactNode } from 'react'
import classes from './ReviewList.module.css'

/** What is about to be made: each word with its value. */
export function ReviewList({ rows }: { rows: [word: string, value: ReactNode][] }) {
  return (
    <dl className={classes.review}>
      {rows.map(([word, value]) => (
        <Fragment key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
