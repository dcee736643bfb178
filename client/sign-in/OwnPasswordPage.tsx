import { Button } from '@mantine/core'
import { loadSession, signOut } from '#client/app/session.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { OwnPasswordForm } from '#client/parts/password/OwnPasswordForm.tsx'
import { usePageTitle } from '#client/ui/text/pageTitle.ts'
import { SignInCard } from './SignInCard.tsx'

/** Users with a one-time password must set their own password here first. */
export function OwnPasswordPage() {
  usePageTitle('Choose a password')
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
