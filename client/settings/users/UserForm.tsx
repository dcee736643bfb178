import { Switch, TextInput } from '@mantine/core'
import { type OneTimePassword, type User, UserDraft, users } from '#events/users.ts'
import { call } from '../../app/call.ts'
import { checkedBy } from '../../app/form.ts'
import { toast } from '../../app/toasts.ts'
import { useSavedForm } from '../../app/useSavedForm.ts'
import { RolesInput } from '../../parts/roles/RolesInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'

type UserFormProps = {
  edited: User | 'new' | undefined
  onClose: () => void
  onSaved: () => void
  /** A new account has a password that is shown once. */
  onMade: (given: OneTimePassword) => void
}

/** Makes an account, or changes one. */
export function UserForm({ edited, ...props }: UserFormProps) {
  const title = edited === 'new' || !edited ? 'Add user' : `Edit ${edited.name}`
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M">
      {edited && <Fields edited={edited} {...props} />}
    </Dialog>
  )
}

const newUser = { name: '', email: null, roles: [], isDisabled: false, isOfProvider: false }

/** An empty address is none. */
const draftOf = (fields: UserDraft & { email: string }): UserDraft => ({
  ...fields,
  name: fields.name.trim(),
  email: fields.email.trim() || null,
})

function Fields({ edited, ...props }: UserFormProps & { edited: User | 'new' }) {
  const { name, isOfProvider } = edited === 'new' ? newUser : edited
  const { form, busy, submit } = useUserForm(edited, props)
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves={edited === 'new' ? 'Add user' : 'Save user'}
      onClose={props.onClose}
    >
      <TextInput
        label="Name"
        data-autofocus={!isOfProvider}
        description={isOfProvider ? 'Given by the single sign-on.' : undefined}
        disabled={busy || isOfProvider}
        {...form.getInputProps('name')}
      />
      <TextInput label="E-mail" type="email" disabled={busy} {...form.getInputProps('email')} />
      <RolesInput
        {...(isOfProvider && { description: 'Given by the single sign-on at each sign-in.' })}
        value={form.values.roles}
        onChange={(roles) => form.setFieldValue('roles', roles)}
        error={form.errors['roles']}
        disabled={busy || isOfProvider}
      />
      {edited !== 'new' && (
        <Switch
          label="Disabled"
          description={`${name} cannot sign in; browsers and API tokens of ${name} are signed out at once.`}
          disabled={busy}
          {...form.getInputProps('isDisabled', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  )
}

function useUserForm(edited: User | 'new', { onClose, onSaved, onMade }: Omit<UserFormProps, 'edited'>) {
  const { name, email, roles, isDisabled } = edited === 'new' ? newUser : edited
  return useSavedForm({
    initialValues: { name, email: email ?? '', roles, isDisabled },
    check: (fields) => checkedBy(UserDraft)(draftOf(fields)),
    save: async (fields) => {
      const body = draftOf(fields)
      if (edited === 'new') onMade(await call(users.create, { body }))
      else await call(users.update, { params: { id: edited.id }, body })
      onSaved()
      onClose()
      if (edited !== 'new') toast({ kind: 'success', message: `${body.name} was updated` })
    },
  })
}
