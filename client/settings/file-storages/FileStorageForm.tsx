import { Button, NativeSelect, TextInput } from '@mantine/core'
import { agents } from '#events/agents.ts'
import { scanTypes, type VolumeSetting } from '#events/volume-settings.ts'
import { useRemote } from '../../app/remote.ts'
import { Dialog } from '../../ui/Dialog.tsx'
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
  const choices = useAgentChoices()
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      {choices.length > 1 && (
        <NativeSelect
          label="Agent"
          description="The one on whose machine the folder is"
          data={choices}
          disabled={busy}
          value={String(form.values.server.id)}
          onChange={({ currentTarget }) => form.setFieldValue('server.id', Number(currentTarget.value))}
          error={form.errors['server.id']}
        />
      )}
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

/** The agents to choose from, by name. */
function useAgentChoices(): { value: string; label: string }[] {
  const query = { page: 1, size: 500, sort: 'name', direction: 'asc' as const }
  const { data } = useRemote(agents.list, { query }, 'agents')
  return (data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}
