import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { loadSession, signOut } from '../app/session.state.ts'
import { toastFailure } from '../app/toasts.ts'
import { OwnPasswordForm } from '../parts/password/OwnPasswordForm.tsx'
import { productName } from '../ui/productName.ts'
import { SignInCard } from './SignInCard.tsx'

/** Where those begin who came with a one-time password: nothing else is there until they chose their own. */
export function OwnPasswordPage() {
  useEffect(() => {
    document.title = `Choose a password · ${productName}`
  }, [])
  const leave = (
    <Button variant="default" onClick={() => void signOut().catch(toastFailure)}>
      Sign out
    </Button>
  )
  return (
    <SignInCard title="Choose a password of your own">
      <OwnPasswordForm asksForCurrent={false} onSaved={() => void loadSession()} beside={leave} />
    </SignInCard>
  )
}
