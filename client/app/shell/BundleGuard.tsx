import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { type Bundle, lockedMessages } from '#events/contract/needs.ts'
import { session } from '#client/app/session.state.ts'
import classes from './BundleGuard.module.css'

type BundleGuardProps = { bundle: Bundle; children: ReactNode }

/** Dims and disables features of a bundle that is not licensed, and explains how to get it. */
export function BundleGuard({ bundle, children }: BundleGuardProps) {
  const { user } = useSnapshot(session)
  if (!user || user.bundles.includes(bundle)) return children
  return (
    <div className={classes.locked}>
      <div className={classes.content} inert>
        {children}
      </div>
      <div className={classes.message}>
        <strong>{lockedMessages[bundle]}</strong>
        {user.supportUrl !== null && <a href={user.supportUrl}>Contact Support</a>}
      </div>
    </div>
  )
}
