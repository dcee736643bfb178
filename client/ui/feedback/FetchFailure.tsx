import { Button } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useState } from 'react'
import { Failure, isLimited } from './Failure.tsx'
import classes from './Failure.module.css'

type FetchFailureProps = {
  error: Error & { details?: string | undefined }
  message?: string
  retry: () => void
}

/** Data of a wizard could not be loaded. The reason is shown on request. */
export function FetchFailure({
  error,
  message = 'There was an error while fetching the data',
  retry,
}: FetchFailureProps) {
  const [isOpen, open] = useState(false)
  if (isLimited(error)) return <Failure error={error} />
  return (
    <div className={classes.failure} role="alert">
      <p className={classes.message}>
        <IconAlertOctagon size={16} stroke={1.5} aria-hidden />
        {message}
      </p>
      <Button variant="default" onClick={retry}>
        Retry
      </Button>
      <Button variant="subtle" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? 'Hide error details' : 'Show error details'}
      </Button>
      {isOpen && (
        <div className={classes.details}>
          <p>{error.message}</p>
          {error.details && <pre>{error.details}</pre>}
        </div>
      )}
    </div>
  )
}
