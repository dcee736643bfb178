import { Button } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import classes from './Failure.module.css'

type FailureProps = { error: Error & { details?: string | undefined }; retry?: () => void }

/** An error message with a retry button. */
export function Failure({ error, retry }: FailureProps) {
  return (
    <div className={classes.failure} role="alert">
      <p className={classes.message}>
        <IconAlertOctagon size={16} stroke={1.5} aria-hidden />
        {error.message}
      </p>
      {retry && (
        <Button variant="default" onClick={retry}>
          Retry
        </Button>
      )}
      {error.details && (
        <details className={classes.details}>
          <summary>Details</summary>
          <pre>{error.details}</pre>
        </details>
      )}
    </div>
  )
}
