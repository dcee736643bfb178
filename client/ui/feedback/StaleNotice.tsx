import classes from './StaleNotice.module.css'

/** What is shown could not be read again. */
export function StaleNotice({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <output className={classes.outdated}>
      Not up to date: {error.message}.{' '}
      <button type="button" className={classes.retry} onClick={retry}>
        Retry
      </button>
    </output>
  )
}
