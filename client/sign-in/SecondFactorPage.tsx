import { Button } from '@mantine/core'
import { useState } from 'react'
import { type NewSecondFactor, secondFactor } from '#events/users/secondFactor.ts'
import { call } from '#client/app/call.ts'
import { loadSession, signOut } from '#client/app/session.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { SetUpSecondFactor } from '#client/parts/second-factor/SetUpSecondFactor.tsx'
import { usePageTitle } from '#client/ui/text/pageTitle.ts'
import { SignInCard } from './SignInCard.tsx'

/** Users who need a second factor set it up here first. */
export function SecondFactorPage() {
  usePageTitle('Set up a second factor')
  const [made, show] = useState<NewSecondFactor>()
  const [busy, begin] = useBusy(async () => show(await call(secondFactor.begin, {})))
  const leave = (
    <Button variant="default" onClick={() => void signOut().catch(toastFailure)}>
      Sign out
    </Button>
  )
  return (
    <SignInCard title="Set up a second factor">
      {made ? (
        <SetUpSecondFactor made={made} onDone={() => void loadSession()} beside={leave} />
      ) : (
        <>
          <p>An administrator requires a code of an authenticator app at each sign-in. You need your phone for this.</p>
          <Button loading={busy} onClick={() => begin()} fullWidth>
            Set up
          </Button>
          {leave}
        </>
      )}
    </SignInCard>
  )
}
