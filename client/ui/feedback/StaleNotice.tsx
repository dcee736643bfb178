import classes from './StaleNotice.module.css'

/** Reloading failed; the data shown may be out of date. */
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
