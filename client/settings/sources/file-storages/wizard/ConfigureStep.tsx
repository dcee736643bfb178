import { mountTypes } from '#events/sources/fileStorages.ts'
import { FoldedInputs } from '#client/parts/settings-table/FoldedInputs.tsx'
import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { paceOfLookups } from '../../pace/paceForm.ts'
import { MountInputs } from '../MountInputs.tsx'
import { networkCredentialsTable } from '../networkCredentials.ts'
import { NameInput, PathInputs, ScanTypeInput, SizesInput } from '../PathInputs.tsx'
import type { FileStorageForm } from '../fileStorageForm.ts'
import shared from '../../Sources.module.css'

type ConfigureStepProps = {
  form: FileStorageForm
  busy: boolean
  isAddingCredentials: boolean
  onSubForm: (isOpen: boolean) => void
}

/** The mount, the name and the scan type of a new storage. */
export function ConfigureStep({ form, busy, isAddingCredentials, onSubForm }: ConfigureStepProps) {
  if (isAddingCredentials) {
    const created = (id: number) => {
      form.setFieldValue('credentials', String(id))
      onSubForm(false)
    }
    return (
      <SubForm
        table={networkCredentialsTable}
        what="credentials"
        onCreated={created}
        onCancel={() => onSubForm(false)}
      />
    )
  }
  return (
    <div className={shared.form}>
      <NameInput form={form} busy={busy} />
      <MountInputs form={form} busy={busy} mountTypes={mountTypes} onNewCredentials={() => onSubForm(true)} />
      <PathInputs form={form} busy={busy} />
      <ScanTypeInput form={form} busy={busy} />
      <SizesInput form={form} busy={busy} />
      <FoldedInputs folded={paceOfLookups.folded} form={form} busy={busy} edited="new" />
    </div>
  )
}
