import { isLimited } from './Failure.tsx'
import classes from './InlineFailure.module.css'

type InlineFailureProps = {
  error: Error
  retry: () => void
  /** For tables: shows the message as a tooltip. */
  isShort?: boolean
  tabIndex?: number | undefined
}

/** Replaces a value that could not be loaded: the reason and a retry button. */
export function InlineFailure({ error, retry, isShort = false, tabIndex }: InlineFailureProps) {
  if (isLimited(error)) return isShort ? '-' : <span className="muted">{error.message}</span>
  return (
    <span className="critical" title={error.message}>
      <button type="button" className={classes.retry} tabIndex={tabIndex} onClick={retry}>
        Retry
      </button>
      {!isShort && <span>{error.message}</span>}
    </span>
  )
}
