import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { session } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { OwnPasswordForm } from '#client/parts/password/OwnPasswordForm.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'

/** Changes the password, for users who have one here. */
export function OwnPassword() {
  const { user } = useSnapshot(session)
  const [isChanging, change] = useState(false)
  const close = () => change(false)
  if (user?.isOfProvider) return <span className="muted">You sign in through single sign-on.</span>
  const saved = () => {
    close()
    toast({ kind: 'success', message: 'The password was changed; your other browsers were signed out' })
  }
  const cancel = (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  )
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => change(true)}>
        Change password
      </Button>
      <FormDialog opened={isChanging} onClose={close} title="Change password">
        {isChanging && <OwnPasswordForm asksForCurrent onSaved={saved} beside={cancel} />}
      </FormDialog>
    </>
  )
}
