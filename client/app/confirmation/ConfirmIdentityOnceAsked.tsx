import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { PartBoundary } from '#client/app/PartBoundary.tsx'
import { confirmation } from './confirmation.state.ts'

const ConfirmIdentity = lazy(() => import('./ConfirmIdentity.tsx').then((m) => ({ default: m.ConfirmIdentity })))

/** The dialog of any call that needs a confirmation, so that no screen has to know. It opens above other dialogs. */
export function ConfirmIdentityOnceAsked() {
  const { isAsking } = useSnapshot(confirmation)
  return (
    <PartBoundary>
      <Suspense fallback={null}>{isAsking && <ConfirmIdentity />}</Suspense>
    </PartBoundary>
  )
}
