import { Button } from '@mantine/core'
import { shareTypes } from '#events/sources/mountRules.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { PriceBookPicker } from '#client/settings/price-books/PriceBookPicker.tsx'
import type { EditDialogProps } from '#client/parts/settings-table/declaration.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { IgnoreLink } from '#client/ui/form/IgnoreLink.tsx'
import { FoldedInputs } from '#client/parts/settings-table/FoldedInputs.tsx'
import { AgentSelect } from '../AgentSelect.tsx'
import { withProblems } from '#client/parts/settings-table/connectionCheck.ts'
import { paceOfLookups } from '../pace/paceForm.ts'
import { useFolderProblems } from './folderChecks.ts'
import { updateFileStorage } from './fileStorageCalls.ts'
import { type FileStorageForm, fileStorageForm } from './fileStorageForm.ts'
import { MountInputs } from './MountInputs.tsx'
import { PathRules } from './PathRules.tsx'
import { NameInput, PathInputs, ScanTypeInput, SizesInput } from './PathInputs.tsx'
import type { RuleKind } from './useRulePreview.ts'
import type { FileStorageRow } from './fileStorageRows.ts'
import shared from '../Sources.module.css'
import classes from './FileStorages.module.css'

/** Changes a file storage, and the paths that its scans leave out. */
export function EditFileStorage({ edited, ...props }: EditDialogProps<FileStorageRow>) {
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title={`Edit ${edited?.name ?? ''}`} size="L">
      {edited && <Form storage={edited} {...props} />}
    </FormDialog>
  )
}

type FormProps = Omit<EditDialogProps<FileStorageRow>, 'edited'> & { storage: FileStorageRow }

function Form({ storage, onClose, onSaved }: FormProps) {
  const { id, share } = storage
  const saved = useSavedForm({
    form: fileStorageForm,
    edited: storage,
    checksOnBlur: true,
    async save(_, fields) {
      if (await folder.run()) return
      await updateFileStorage(share?.id ?? id, fields)
      onSaved()
      onClose()
      toast({ kind: 'success', message: `${fields.name.trim()} was updated` })
    },
  })
  const folder = useFolderProblems(saved.form, { id, fields: fileStorageForm.initial(storage) })
  const form = withProblems(saved.form, folder.problems)
  const { busy, submit } = saved
  const saveAnyway = () => {
    folder.onIgnore?.()
    submit()
  }
  return (
    <form className={classes.edit} onSubmit={submit} noValidate>
      <div className={classes.sides}>
        <div className={shared.form}>
          <NameInput form={form} busy={busy} />
          <MountInputs form={form} busy={busy} mountTypes={share ? shareTypes : ['Local']} />
          <PathInputs form={form} busy={busy} volumeId={id} />
          <AgentSelect disabled={busy} {...form.getInputProps('agent')} />
          <PriceBookPicker
            value={form.values.priceBook}
            onChange={(value) => form.setFieldValue('priceBook', value)}
            error={form.errors['priceBook']}
            disabled={busy}
          />
        </div>
        <div className={shared.form}>
          <RulesInput kind="ignored" form={form} volumeId={id} />
          <RulesInput kind="foldersOnly" form={form} volumeId={id} />
          <ScanTypeInput form={form} busy={busy} />
          <SizesInput form={form} busy={busy} />
          <FoldedInputs folded={paceOfLookups.folded} form={form} busy={busy} edited="new" />
        </div>
      </div>
      <div className={classes.footer}>
        {folder.onIgnore && !busy && <IgnoreLink onClick={saveAnyway}>Save anyway</IgnoreLink>}
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
