import { Button, PasswordInput } from '@mantine/core'
import { confirmedMinutes, confirmIdentity } from '#events/users/session.ts'
import { againParameter, singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { session } from '#client/app/session.state.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { SecondFactorInput } from '#client/ui/form/CodeInput.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { useEscape } from '#client/ui/form/useEscape.ts'
import { endConfirmation } from './confirmation.state.ts'

const confirmForm = defineForm({
  schema: confirmIdentity.body,
  fields: { password: '', code: '' },
  toDraft: ({ password, code }) => ({ password, code }),
  check: ({ password, code }) => ({
    password: session.user?.isOfProvider !== true && password === '' && 'Password must not be blank',
    code: session.user?.hasSecondFactor === true && code.trim() === '' && 'Code must not be blank',
  }),
})

/** Asks for the user's password, and a code if they have a second factor; users of single sign-on sign in again in another tab. Escape cancels. */
export function ConfirmIdentity() {
  const cancel = () => endConfirmation(false)
  const inside = useEscape(true, cancel)
  const { form, busy, submit } = useSavedForm({
    form: confirmForm,
    save: async (body) => {
      await call(confirmIdentity, { body })
      endConfirmation(true)
    },
  })
  return (
    <Dialog opened title="Confirm it's you" onClose={cancel} holds>
      <div ref={inside}>
        <DialogForm onSubmit={submit} busy={busy} saves="Continue" onClose={cancel}>
          {session.user?.isOfProvider === true ? (
            <SignInAgain />
          ) : (
            <PasswordInput
              label="Password"
              description={`This change affects who has access. You won't be asked again for ${confirmedMinutes} minutes.`}
              autoComplete="current-password"
              data-autofocus
              disabled={busy}
              {...form.getInputProps('password')}
            />
          )}
          {session.user?.hasSecondFactor && <SecondFactorInput disabled={busy} {...form.getInputProps('code')} />}
        </DialogForm>
      </div>
    </Dialog>
  )
}

function SignInAgain() {
  const address = `${singleSignOnPaths.signIn}?${new URLSearchParams({ [againParameter]: 'true' })}`
  return (
    <>
      This change affects who has access. Sign in again in a new tab, then continue here.
      <Button component="a" href={withBase(address)} target="_blank" rel="noopener" variant="default" data-autofocus>
        Sign in again
      </Button>
    </>
  )
}
