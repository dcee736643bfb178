import { Button } from '@mantine/core'
import { useState } from 'react'
import { addressConfirmations } from '#events/notifications/addresses.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { CodeInput } from '#client/ui/form/CodeInput.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'

/** Email addresses that receive nothing until they are confirmed with a code. Shows nothing if all are confirmed. */
export function UnconfirmedAddresses({ addresses }: { addresses: readonly string[] }) {
  const query = { address: [...addresses] }
  const { data = [], retry } = useRemote(
    addressConfirmations.list,
    addresses.length > 0 ? { query } : undefined,
    'users',
  )
  const [address, open] = useState<string>()
  const close = () => open(undefined)
  return (
    <>
      {data.map((one) => (
        <p key={one} className="row wrap muted gap-8-16">
          {one} is not confirmed, so it receives no emails.
          <Button variant="default" size="compact-sm" onClick={() => open(one)}>
            Confirm address
          </Button>
        </p>
      ))}
      <FormDialog opened={address !== undefined} onClose={close} title="Confirm address">
        {address !== undefined && <CodeForm address={address} onClose={close} onConfirmed={retry} />}
      </FormDialog>
    </>
  )
}

const codeForm = defineForm({
  schema: addressConfirmations.confirm.body,
  fields: { address: '', code: '' },
  toDraft: (fields) => fields,
})

type CodeFormProps = { address: string; onClose: () => void; onConfirmed: () => void }

function CodeForm({ address, onClose, onConfirmed }: CodeFormProps) {
  const [isSending, send] = useBusy(async () => {
    await call(addressConfirmations.send, { body: { address } })
    toast({ kind: 'success', message: `A code was sent to ${address}` })
  })
  const { form, busy, submit } = useSavedForm({
    form: codeForm,
    initialValues: { address, code: '' },
    save: async (body) => {
      await call(addressConfirmations.confirm, { body })
      onConfirmed()
      onClose()
      toast({ kind: 'success', message: `${address} was confirmed` })
    },
  })
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves="Confirm address"
      onClose={onClose}
      beside={
        <Button variant="default" loading={isSending} disabled={busy} onClick={() => send()}>
          Send code
        </Button>
      }
    >
      <p>Send a code to {address}, then enter it here. It is valid for an hour.</p>
      <CodeInput inputMode="numeric" data-autofocus disabled={busy} {...form.getInputProps('code')} />
    </DialogForm>
  )
}
