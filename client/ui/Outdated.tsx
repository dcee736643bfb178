import classes from './Outdated.module.css'

/** What is shown could not be read again. */
export function Outdated({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <output className={classes.outdated}>
      Not up to date: {error.message}.{' '}
      <button type="button" className={classes.retry} onClick={retry}>
        Retry
      </button>
    </output>
  )
}
