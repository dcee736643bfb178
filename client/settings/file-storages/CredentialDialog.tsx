import type { NetworkCredential } from '#events/network-volumes.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CredentialInputs } from './CredentialInputs.tsx'
import { useCredentialForm } from './useCredentialForm.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'

type CredentialDialogProps = { edited: NetworkCredential | 'new' | undefined; onClose: () => void; onSaved: () => void }

/** Adds credentials of the network, or changes them. */
export function CredentialDialog({ edited, ...props }: CredentialDialogProps) {
  const title = `${edited === 'new' ? 'Add' : 'Edit'} On-Premises Credentials`
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={title}>
      {edited && <Form edited={edited} {...props} />}
    </Dialog>
  )
}

function Form({ edited, onClose, onSaved }: CredentialDialogProps & { edited: NetworkCredential | 'new' }) {
  const { form, busy, submit } = useCredentialForm(edited, () => {
    onSaved()
    onClose()
  })
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves={edited === 'new' ? 'Add credentials' : 'Save credentials'}
      onClose={onClose}
    >
      <CredentialInputs form={form} busy={busy} edited={edited} />
    </DialogForm>
  )
}
