import { TextInput } from '@mantine/core'
import { type Archiware, archiwares } from '#events/sources/archiwares.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import type { EditDialogProps } from '#client/parts/settings-table/declaration.ts'
import { PriceBookPicker } from '#client/settings/price-books/PriceBookPicker.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { AgentSelect } from '../AgentSelect.tsx'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { useSourceForm } from '../useSourceForm.ts'
import { useArchiwareCredentials } from './archiwareCredentials.ts'
import { archiwareErrors as check, draftOf, fieldsOf, labels, shownAt } from './archiwareFields.ts'

/** Changes an index that is set up. */
export function EditArchiware({ edited, ...props }: EditDialogProps<Archiware>) {
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={`Edit ${edited?.name ?? ''}`} holds>
      {edited && <Form archiware={edited} {...props} />}
    </Dialog>
  )
}

type FormProps = Omit<EditDialogProps<Archiware>, 'edited'> & { archiware: Archiware }

function Form({ archiware, onClose, onSaved }: FormProps) {
  const { form, busy, submitBy } = useSourceForm(fieldsOf(archiware), { check, shownAt, labels })
  const { data: credentials } = useArchiwareCredentials()
  const submit = submitBy(
    (fields) => call(archiwares.update, { params: { id: archiware.id }, body: draftOf(fields) }),
    () => {
      onSaved()
      onClose()
      toast({ kind: 'success', message: `${form.values.name.trim()} was updated` })
    },
  )
  return (
    <DialogForm onSubmit={(event) => void submit(event)} busy={busy} saves="Save index" onClose={onClose}>
      <AgentSelect data-autofocus disabled={busy} {...form.getInputProps('agent')} />
      <CredentialsSelect
        known={credentials}
        none="Choose credentials"
        onNew={undefined}
        disabled={busy}
        {...form.getInputProps('credentials')}
      />
      <TextInput label="Archiware Index" disabled={busy} {...form.getInputProps('index')} />
      <TextInput
        label="Path"
        description="The folder of the index that is scanned; / is all of it"
        disabled={busy}
        {...form.getInputProps('path')}
      />
      <TextInput label="DataIntell Name" disabled={busy} {...form.getInputProps('name')} />
      <PriceBookPicker
        value={form.values.priceBook}
        onChange={(value) => form.setFieldValue('priceBook', value)}
        error={form.errors['priceBook']}
        disabled={busy}
      />
    </DialogForm>
  )
}
