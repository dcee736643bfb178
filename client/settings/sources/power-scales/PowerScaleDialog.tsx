import { NumberInput, TextInput } from '@mantine/core'
import { type PowerScale, powerScales } from '#events/sources/powerScales.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import { PriceBookPicker } from '#client/settings/price-books/PriceBookPicker.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { AgentSelect } from '../AgentSelect.tsx'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { PathRules } from '../file-storages/PathRules.tsx'
import { useSourceForm } from '../useSourceForm.ts'
import { usePowerScaleCredentials } from './powerScaleCredentials.ts'
import {
  draftOf,
  fieldsOf,
  labels,
  newPowerScale,
  type PowerScaleFields,
  powerScaleErrors as check,
  shownAt,
} from './powerScaleFields.ts'

type PowerScaleDialogProps = { edited: PowerScale | 'new' | undefined; onClose: () => void; onSaved: () => void }

/** Adds or changes a folder of a cluster. */
export function PowerScaleDialog({ edited, ...props }: PowerScaleDialogProps) {
  const title = edited === 'new' ? 'Add Dell PowerScale Storage' : `Edit ${edited?.dataintellName ?? ''}`
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M" holds>
      {edited && <Form edited={edited} {...props} />}
    </Dialog>
  )
}

function Form({ edited, onClose, onSaved }: PowerScaleDialogProps & { edited: PowerScale | 'new' }) {
  const initial = edited === 'new' ? newPowerScale : fieldsOf(edited)
  const { form, busy, submitBy } = useSourceForm(initial, { check, shownAt, labels })
  const submit = submitBy(
    (fields) => save(edited, fields),
    () => {
      onSaved()
      onClose()
      toast({ kind: 'success', message: `${form.values.name.trim()} was ${edited === 'new' ? 'added' : 'updated'}` })
    },
  )
  return (
    <DialogForm
      onSubmit={(event) => void submit(event)}
      busy={busy}
      saves={edited === 'new' ? 'Add storage' : 'Save storage'}
      onClose={onClose}
    >
      <ClusterInputs form={form} busy={busy} />
      <AgentSelect disabled={busy} {...form.getInputProps('agent')} />
      <PriceBookPicker
        value={form.values.priceBook}
        onChange={(value) => form.setFieldValue('priceBook', value)}
        error={form.errors['priceBook']}
        disabled={busy}
      />
      <PathRules
        kind="ignored"
        volumeId={edited === 'new' ? undefined : edited.volumeSettingId}
        rules={form.values.ignored}
        onChange={(rules) => form.setFieldValue('ignored', rules)}
        error={form.errors['ignored']}
      />
      <SnapshotInputs form={form} busy={busy} />
    </DialogForm>
  )
}

async function save(edited: PowerScale | 'new', fields: PowerScaleFields): Promise<void> {
  const body = draftOf(fields)
  if (edited === 'new') await call(powerScales.create, { body })
  else await call(powerScales.update, { params: { id: edited.id }, body })
}

type InputsProps = { form: ReturnType<typeof useSourceForm<PowerScaleFields>>['form']; busy: boolean }

/** The cluster, its credentials, and the folder. */
function ClusterInputs({ form, busy }: InputsProps) {
  const { data: credentials } = usePowerScaleCredentials()
  return (
    <>
      <TextInput
        label="Host"
        description="Add a port if the API does not use 8080"
        placeholder="isilon.example.com"
        data-autofocus
        disabled={busy}
        {...form.getInputProps('host')}
      />
      <TextInput label="Name" disabled={busy} {...form.getInputProps('name')} />
      <TextInput label="Path" placeholder="/ifs/data" disabled={busy} {...form.getInputProps('path')} />
      <CredentialsSelect
        known={credentials}
        none={credentials?.elements.length === 0 ? 'There are no credentials yet' : 'Choose credentials'}
        onNew={undefined}
        disabled={busy}
        {...form.getInputProps('credentials')}
      />
      <TextInput
        label="Certificate fingerprint"
        description="SHA-256 of the cluster's certificate. Leave empty if the agent's machine trusts its authority."
        disabled={busy}
        {...form.getInputProps('fingerprint')}
      />
    </>
  )
}

/** Days that the cluster keeps the snapshots of scans. */
const SnapshotInputs = ({ form, busy }: InputsProps) => (
  <>
    <NumberInput
      label="Full scan snapshot expiration (days)"
      description="0 takes no snapshot for delta scans, so every scan is a full scan"
      disabled={busy}
      {...form.getInputProps('fullDays')}
    />
    <NumberInput label="Delta scan snapshot expiration (days)" disabled={busy} {...form.getInputProps('deltaDays')} />
  </>
)
