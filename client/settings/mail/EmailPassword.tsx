import { PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { configurations, type HashedName } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'

/** A secret of the mail server. `set` is the label of the button that enters it, and `note` says what to enter. */
export type MailSecret = { name: HashedName; label: string; set: string; note?: string }

type EmailPasswordProps = {
  secret: MailSecret
  opened: boolean
  title: string
  onClose: () => void
  onSaved: () => void
}

/** Password, or secret of an application, for the mail server, which is write-only. */
export function EmailPassword({ opened, title, onClose, ...form }: EmailPasswordProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      {opened && <Form onClose={onClose} {...form} />}
    </FormDialog>
  )
}

function Form({ secret, onClose, onSaved }: Pick<EmailPasswordProps, 'secret' | 'onClose' | 'onSaved'>) {
  const called = inSentence(secret.label)
  const [value, setValue] = useState('')
  const [busy, save] = useBusy(async () => {
    try {
      await call(configurations.update, { body: [{ name: secret.name, value }] })
    } catch {
      toastFailure(`Unable to update the ${called}`)
      return
    }
    onSaved()
    onClose()
    toast({ kind: 'success', message: `The ${called} was updated.` }, 8_000)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Otherwise it reaches the form of the settings, around this dialog, and saves their changes.
    event.stopPropagation()
    save()
  }
  return (
    <DialogForm onSubmit={submit} busy={busy} saves={`Save ${called}`} onClose={onClose}>
      <PasswordInput
        label={secret.label}
        description={`${secret.note ?? ''} Leave it empty to remove the ${called}.`.trim()}
        autoComplete="new-password"
        data-autofocus
        disabled={busy}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
    </DialogForm>
  )
}

/** `Client secret` becomes `client secret`. */
export const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1)
