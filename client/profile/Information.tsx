import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { changeOwnEmail } from '#events/notifications/calls.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { loadSession, session } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { UnconfirmedAddresses } from '#client/parts/addresses/UnconfirmedAddresses.tsx'
import { roleNames } from '#client/parts/roles/roleWords.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { OwnSecondFactor } from './OwnSecondFactor.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import classes from './Profile.module.css'

/** Name and email address of the user. */
export function Information() {
  const { user } = useSnapshot(session)
  const [isChanging, change] = useState(false)
  const close = () => change(false)
  return (
    <Panel title="Information">
      <dl className={classes.information}>
        <dt>Name</dt>
        <dd>{user?.name}</dd>
        <dt>Email</dt>
        <dd className="row wrap gap-8-16">
          {user?.email ?? <span className="muted">No email address, so alerts and notifications can't be sent</span>}
          <Button variant="default" size="compact-sm" onClick={() => change(true)}>
            {user?.email ? 'Change email' : 'Add email'}
          </Button>
          <UnconfirmedAddresses addresses={user?.email ? [user.email] : []} />
        </dd>
        <dt>Roles</dt>
        <dd>{roleNames(user?.roles.map(({ authority }) => authority) ?? []) || 'Viewer'}</dd>
        <dt>Password</dt>
        <dd>
          <OwnPassword />
        </dd>
        <SecondFactorRow />
      </dl>
      <FormDialog opened={isChanging} onClose={close} title="Change email">
        {isChanging && <EmailForm email={user?.email ?? ''} onClose={close} />}
      </FormDialog>
    </Panel>
  )
}

/** For users who sign in with a password. */
function SecondFactorRow() {
  const { user } = useSnapshot(session)
  if (!user || user.isOfProvider) return null
  return (
    <>
      <dt>Second factor</dt>
      <dd className="min-28">
        <OwnSecondFactor />
      </dd>
    </>
  )
}

const emailForm = defineForm({
  schema: changeOwnEmail.body,
  fields: { email: '' },
  // An empty address means none.
  toDraft: ({ email }) => ({ email: email.trim() || null }),
})

function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const { form, busy, submit } = useSavedForm({
    form: emailForm,
    initialValues: { email },
    save: async (body) => {
      await call(changeOwnEmail, { body })
      await loadSession()
      onClose()
      toast({ kind: 'success', message: 'The email address was updated' })
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save email" onClose={onClose}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        description="Address for alerts, job notifications and test emails. Leave empty to receive none."
        data-autofocus
        disabled={busy}
        {...form.getInputProps('email')}
      />
    </DialogForm>
  )
}
