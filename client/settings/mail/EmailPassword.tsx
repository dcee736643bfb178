import { PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { configurations } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'

type EmailPasswordProps = { opened: boolean; title: string; onClose: () => void; onSaved: () => void }

/** Password of the mail server, which is write-only. */
export function EmailPassword({ opened, title, onClose, onSaved }: EmailPasswordProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      {opened && <Form onClose={onClose} onSaved={onSaved} />}
    </FormDialog>
  )
}

function Form({ onClose, onSaved }: Pick<EmailPasswordProps, 'onClose' | 'onSaved'>) {
  const [value, setValue] = useState('')
  const [busy, save] = useBusy(async () => {
    try {
      await call(configurations.update, { body: [{ name: 'spring.mail.password', value }] })
    } catch {
      toastFailure('Unable to update the password')
      return
    }
    onSaved()
    onClose()
    toast({ kind: 'success', message: 'The password was updated.' }, 8_000)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save password" onClose={onClose}>
      <PasswordInput
        label="Password"
        description="Leave it empty to remove the password."
        autoComplete="new-password"
        data-autofocus
        disabled={busy}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
    </DialogForm>
  )
}
