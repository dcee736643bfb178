import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { loadSession, signOut } from '#client/app/session.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { OwnPasswordForm } from '#client/parts/password/OwnPasswordForm.tsx'
import { productName } from '#client/ui/productName.ts'
import { SignInCard } from './SignInCard.tsx'

/** Users with a one-time password must set their own password here first. */
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
    <SignInCard title="Choose your own password">
      <OwnPasswordForm asksForCurrent={false} onSaved={() => void loadSession()} beside={leave} />
    </SignInCard>
  )
}
