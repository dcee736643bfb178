import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Bundle } from '#events/needs.ts'
import { session } from '../session.state.ts'
import classes from './BundleGuard.module.css'

/** Content of a bundle that is not licensed: dimmed and out of reach, with the way to unlock it. */
function BundleGuard({ bundle, message, children }: { bundle: Bundle; message: string; children: ReactNode }) {
  const { user } = useSnapshot(session)
  if (user?.bundles.includes(bundle)) return children
  return (
    <div className={classes.locked}>
      <div className={classes.content} inert>
        {children}
      </div>
      <div className={classes.message}>
        <p>{message}</p>
        {user?.supportUrl && (
          <Button component="a" href={user.supportUrl} target="_blank" rel="noreferrer" variant="default">
            Contact Support
          </Button>
        )}
      </div>
    </div>
  )
}
