import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { changeOwnPassword } from '#events/users/accounts.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { focus } from '#client/ui/form/focus.ts'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'

type OwnPasswordFormProps = {
  /** False right after signing in with a one-time password. */
  asksForCurrent: boolean
  onSaved: () => void
  /** Content next to the submit button. */
  beside?: ReactNode
}

const passwordForm = defineForm({
  schema: changeOwnPassword.body,
  fields: { currentPassword: '', newPassword: '', repeated: '' },
  toDraft: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
  check: ({ newPassword, repeated }) => ({ repeated: newPassword !== repeated && 'The passwords do not match' }),
})
type Fields = typeof passwordForm.fields

/** Changes the user's own password. */
export function OwnPasswordForm({ asksForCurrent, onSaved, beside }: OwnPasswordFormProps) {
  const { form, busy, submit } = useSavedForm({
    form: passwordForm,
    save: async (body) => {
      await call(changeOwnPassword, { body })
      onSaved()
    },
  })
  const first = asksForCurrent ? 'currentPassword' : 'newPassword'
  const field = (name: keyof Fields, label: string, autoComplete: string) => (
    <PasswordInput
      label={label}
      autoComplete={autoComplete}
      description={
        name === 'newPassword'
          ? 'At least 12 characters, not your name and not a commonly used password. Your other sessions will be signed out.'
          : undefined
      }
      ref={name === first ? focus : null}
      disabled={busy}
      {...form.getInputProps(name)}
    />
  )
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Change password" beside={beside}>
      {asksForCurrent && field('currentPassword', 'Current password', 'current-password')}
      {field('newPassword', 'New password', 'new-password')}
      {field('repeated', 'Confirm new password', 'new-password')}
    </DialogForm>
  )
}
