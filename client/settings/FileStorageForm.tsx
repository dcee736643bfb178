import { Button, NativeSelect, TextInput } from '@mantine/core'
import { scanTypes, type VolumeSetting } from '#events/volume-settings.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { scanTypeWords } from './fileStorageColumns.tsx'
import { useFileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorage.module.css'

type FileStorageFormProps = { edited: VolumeSetting | 'new' | undefined; onClose: () => void; onSaved: () => void }

/** Adds a file storage, or changes one. */
export function FileStorageForm({ edited, onClose, onSaved }: FileStorageFormProps) {
  const title = edited === 'new' || !edited ? 'Add file storage' : `Edit ${edited.name}`
  return (
    <Dialog opened={edited !== undefined} onClose={onClose} title={title}>
      {edited && <Fields edited={edited} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  )
}

function Fields({ edited, onClose, onSaved }: FileStorageFormProps & { edited: VolumeSetting | 'new' }) {
  const saved = () => {
    onSaved()
    onClose()
  }
  const { form, busy, submit } = useFileStorageForm(edited, saved)
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <TextInput
        label="Path"
        description="The folder as the agent's machine sees it"
        placeholder="/mnt/projects"
        disabled={busy}
        {...form.getInputProps('path')}
      />
      <NativeSelect
        label="Scan Type"
        data={scanTypes.map((value) => ({ value, label: scanTypeWords[value] }))}
        disabled={busy}
        {...form.getInputProps('scanType')}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {edited === 'new' ? 'Add storage' : 'Save storage'}
        </Button>
      </div>
    </form>
  )
}
