import { Button } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { limitedCode } from '#events/contract/endpoint.ts'
import classes from './Failure.module.css'

type FailureProps = { error: Error & { details?: string | undefined; code?: string | undefined }; retry?: () => void }

/** True for data that the limits of the user refuse: that is no failure. */
export const isLimited = (error: Error & { code?: string | undefined }): boolean => error.code === limitedCode

/** An error message with a retry button. */
export function Failure({ error, retry }: FailureProps) {
  if (isLimited(error)) return <p className="muted padded">{error.message}</p>
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
