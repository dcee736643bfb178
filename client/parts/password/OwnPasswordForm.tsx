import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { changeOwnPassword } from '#events/users/accounts.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { focus } from '#client/ui/form/focus.ts'
import { useCapsLock } from '#client/ui/useCapsLock.ts'
import { counted } from '#client/ui/text/count.ts'
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

const minLength = 12
const strongLength = 16
/** A password of fewer is a repetition. */
const minDifferent = 6

/** Rules of a password before it is typed, then its strength. */
function passwordHint(password: string): string {
  if (password === '')
    return 'At least 12 characters, not your name and not a commonly used password. Your other sessions will be signed out.'
  if (password.length < minLength) return `${counted(minLength - password.length, 'more character')} needed.`
  if (new Set(password).size < minDifferent) return 'Weak: it repeats a few characters.'
  return password.length < strongLength ? 'Good. A longer one is stronger.' : 'Strong.'
}

/** Changes the user's own password. */
export function OwnPasswordForm({ asksForCurrent, onSaved, beside }: OwnPasswordFormProps) {
  const { form, busy, submit } = useSavedForm({
    form: passwordForm,
    save: async (body) => {
      await call(changeOwnPassword, { body })
      onSaved()
    },
  })
  const capsLock = useCapsLock()
  const first = asksForCurrent ? 'currentPassword' : 'newPassword'
  const field = (name: keyof Fields, label: string, autoComplete: string) => (
    <PasswordInput
      label={label}
      autoComplete={autoComplete}
      description={name === 'newPassword' ? (capsLock.hint ?? passwordHint(form.values.newPassword)) : undefined}
      ref={name === first ? focus : null}
      disabled={busy}
      {...capsLock.handlers}
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
