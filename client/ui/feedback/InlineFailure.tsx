import classes from './InlineFailure.module.css'

type InlineFailureProps = {
  error: Error
  retry: () => void
  /** Within a table: the message is one hover away. */
  isShort?: boolean
  tabIndex?: number | undefined
}

/** In place of a value that could not be read: the way to try again, and why. */
export function InlineFailure({ error, retry, isShort = false, tabIndex }: InlineFailureProps) {
  return (
    <span className={classes.refused} title={error.message}>
      <button type="button" className={classes.retry} tabIndex={tabIndex} onClick={retry}>
        Retry
      </button>
      {!isShort && <span>{error.message}</span>}
    </span>
  )
}
