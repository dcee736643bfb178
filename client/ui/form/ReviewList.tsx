import { Fragment, type ReactNode } from 'react'
import classes from './ReviewList.module.css'

/** Summary of a wizard before it saves. */
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
