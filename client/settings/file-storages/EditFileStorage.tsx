import { Button, NativeSelect } from '@mantine/core'
import type { FormEvent } from 'react'
import { shareTypes } from '#events/mount-rules.ts'
import { toast } from '../../app/toasts.ts'
import { PriceBookPicker } from '../../parts/price-books/PriceBookPicker.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAgents } from './choices.ts'
import { fieldsOf } from './fileStorageFields.ts'
import { MountInputs } from './MountInputs.tsx'
import { PathRules } from './PathRules.tsx'
import { PlaceInputs, ScanTypeInput } from './PlaceInputs.tsx'
import { type FileStorageForm, updateFileStorage, useFileStorageForm } from './useFileStorageForm.ts'
import type { RuleKind } from './useRulePreview.ts'
import type { FileStorage } from './useFileStorages.ts'
import classes from './FileStorages.module.css'

type EditFileStorageProps = { edited: FileStorage | undefined; onClose: () => void; onSaved: () => void }

/** Changes a file storage, and what its scans leave out. */
export function EditFileStorage({ edited, ...props }: EditFileStorageProps) {
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={`Edit ${edited?.name ?? ''}`} size="L" holds>
      {edited && <Form storage={edited} {...props} />}
    </Dialog>
  )
}

type FormProps = Omit<EditFileStorageProps, 'edited'> & { storage: FileStorage }

function Form({ storage, onClose, onSaved }: FormProps) {
  const { id, share } = storage
  const { form, busy, saveBy } = useFileStorageForm(fieldsOf(storage, share))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const { errors, hasErrors } = form.validate()
    const refused = hasErrors
      ? Object.keys(errors)
      : await saveBy((fields) => updateFileStorage(share?.id ?? id, fields))
    if (refused) return form.getInputNode(refused[0] ?? '')?.focus()
    onSaved()
    onClose()
    toast({ kind: 'success', message: `${form.values.name.trim()} was updated` })
  }
  return (
    <form className={classes.edit} onSubmit={(event) => void save(event)} noValidate>
      <div className={classes.sides}>
        <div className={classes.form}>
          <MountInputs form={form} busy={busy} mountTypes={share ? shareTypes : ['Local']} />
          <PlaceInputs form={form} busy={busy} />
          <AgentInput form={form} busy={busy} />
          <PriceBookPicker
            value={form.values.priceBook}
            onChange={(value) => form.setFieldValue('priceBook', value)}
            error={form.errors['priceBook']}
            disabled={busy}
          />
        </div>
        <div className={classes.form}>
          <RulesInput kind="ignored" form={form} volumeId={id} />
          <RulesInput kind="foldersOnly" form={form} volumeId={id} />
          <ScanTypeInput form={form} busy={busy} />
        </div>
      </div>
      <div className={classes.footer}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Save storage
        </Button>
      </div>
    </form>
  )
}

type RulesInputProps = { kind: RuleKind; form: FileStorageForm; volumeId: number }

const RulesInput = ({ kind, form, volumeId }: RulesInputProps) => (
  <PathRules
    kind={kind}
    volumeId={volumeId}
    rules={form.values[kind]}
    onChange={(rules) => form.setFieldValue(kind, rules)}
    error={form.errors[kind]}
  />
)

function AgentInput({ form, busy }: { form: FileStorageForm; busy: boolean }) {
  const { data } = useAgents()
  const choices = (data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return <NativeSelect label="Agent" data={choices} disabled={busy} {...form.getInputProps('agent')} />
}
