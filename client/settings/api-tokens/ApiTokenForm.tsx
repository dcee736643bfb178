import { NativeSelect, TextInput } from '@mantine/core'
import type { Role } from '#events/needs.ts'
import { ApiTokenDraft, type NewApiToken, apiTokens } from '#events/api-tokens.ts'
import { call } from '../../app/call.ts'
import { checkedBy } from '../../app/form.ts'
import { useSavedForm } from '../../app/useSavedForm.ts'
import { RolesInput } from '../../parts/roles/RolesInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'

type ApiTokenFormProps = {
  opened: boolean
  onClose: () => void
  onSaved: () => void
  onMade: (made: NewApiToken) => void
}

/** Makes a token. */
export function ApiTokenForm({ opened, ...props }: ApiTokenFormProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Add API token" size="M">
      {opened && <Fields {...props} />}
    </Dialog>
  )
}

const spans = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: '1 year' },
]
type FieldsOfToken = { name: string; roles: Role[]; days: string }
const draftOf = ({ name, roles, days }: FieldsOfToken) => ({ name: name.trim(), roles, days: Number(days) })

function Fields({ onClose, onSaved, onMade }: Omit<ApiTokenFormProps, 'opened'>) {
  const { form, busy, submit } = useSavedForm<FieldsOfToken>({
    initialValues: { name: '', roles: [], days: '90' },
    check: (fields) => checkedBy(ApiTokenDraft)(draftOf(fields)),
    save: async (fields) => {
      onMade(await call(apiTokens.create, { body: draftOf(fields) }))
      onSaved()
      onClose()
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Make token" onClose={onClose}>
      <TextInput
        label="Name"
        description="What uses it, such as nightly report"
        data-autofocus
        disabled={busy}
        {...form.getInputProps('name')}
      />
      <NativeSelect label="Good for" data={spans} disabled={busy} {...form.getInputProps('days')} />
      <RolesInput
        description="The token speaks for you, with no more than these roles. Without any it reads what everyone sees."
        value={form.values.roles}
        onChange={(roles) => form.setFieldValue('roles', roles)}
        error={form.errors['roles']}
        disabled={busy}
      />
    </DialogForm>
  )
}
