import { mountTypes } from '#events/volume-settings.ts'
import { CredentialSubForm } from './CredentialSubForm.tsx'
import { MountInputs } from './MountInputs.tsx'
import { PlaceInputs, ScanTypeInput } from './PlaceInputs.tsx'
import type { FileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorages.module.css'

type ConfigureStepProps = {
  form: FileStorageForm
  busy: boolean
  isMakingCredentials: boolean
  onSubForm: (isOpen: boolean) => void
}

/** How a new storage is reached, what it is called, and how it is scanned. */
export function ConfigureStep({ form, busy, isMakingCredentials, onSubForm }: ConfigureStepProps) {
  if (isMakingCredentials) {
    const created = (id: number) => {
      form.setFieldValue('credentials', String(id))
      onSubForm(false)
    }
    return <CredentialSubForm onCreated={created} onCancel={() => onSubForm(false)} />
  }
  return (
    <div className={classes.form}>
      <MountInputs form={form} busy={busy} mountTypes={mountTypes} onNewCredentials={() => onSubForm(true)} />
      <PlaceInputs form={form} busy={busy} />
      <ScanTypeInput form={form} busy={busy} />
    </div>
  )
}
