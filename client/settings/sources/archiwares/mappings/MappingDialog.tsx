import { NativeSelect, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { type ArchiwareMapping, archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { storages } from '#events/storages.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import {
  draftOf,
  fieldsOf,
  mappingErrors,
  newGlobalMapping,
  newMapping,
  type MappingFields,
  shownAt,
} from './mappingFields.ts'
import { TryPath } from './TryPath.tsx'

/** The mapping to change, or a new one for a storage or for all storages. */
type EditedMapping = ArchiwareMapping | 'new' | 'newGlobal'
type MappingDialogProps = { edited: EditedMapping | undefined; onClose: () => void; onSaved: () => void }

/** Adds or changes a mapping. */
export function MappingDialog({ edited, ...props }: MappingDialogProps) {
  const verb = typeof edited === 'string' ? 'Add' : 'Edit'
  const what = isGlobal(edited) ? 'Global Storage Path Configuration' : 'Storage Path Configuration'
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={`${verb} ${what}`} size="M">
      {edited && <Form edited={edited} {...props} />}
    </Dialog>
  )
}

const isGlobal = (edited: EditedMapping | undefined): boolean =>
  edited === 'newGlobal' || (typeof edited === 'object' && edited.volumeId === globalMapping)

function initialOf(edited: EditedMapping): MappingFields {
  if (edited === 'newGlobal') return newGlobalMapping
  return edited === 'new' ? newMapping : fieldsOf(edited)
}

function Form({ edited, onClose, onSaved }: MappingDialogProps & { edited: EditedMapping }) {
  const { form, busy, submit } = useSavedForm<MappingFields>({
    initialValues: initialOf(edited),
    check: mappingErrors,
    shownAt,
    save: async (fields) => {
      await save(edited, fields)
      onSaved()
      onClose()
      const what = isGlobal(edited) ? 'Global path configuration' : 'File Storage path configuration'
      const done = typeof edited === 'string' ? 'created' : 'updated'
      toast({ kind: 'success', message: `${what} was ${done} successfully` })
    },
  })
  const { values } = form
  const isEmpty = Object.keys(mappingErrors(values)).length > 0
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves="Save configuration"
      disabled={isGlobal(edited) && isEmpty}
      onClose={onClose}
    >
      {!isGlobal(edited) && (
        <StorageSelect edited={edited} disabled={busy || edited !== 'new'} {...form.getInputProps('volume')} />
      )}
      <TextInput
        label="DataIntell Path"
        description="As DataIntell shows it"
        placeholder="/mnt/projects"
        {...(isGlobal(edited) && { 'data-autofocus': true })}
        disabled={busy}
        {...form.getInputProps('dataintellPath')}
      />
      <TextInput
        label="Archiware P5 Path"
        description="The same folder as P5 clients see it"
        placeholder="/Volumes/Projects"
        disabled={busy}
        {...form.getInputProps('archiwarePath')}
      />
      <TryPath fields={values} />
    </DialogForm>
  )
}

async function save(edited: EditedMapping, fields: MappingFields): Promise<void> {
  const body = draftOf(fields)
  if (typeof edited === 'string') await call(archiwareMappings.create, { body })
  else await call(archiwareMappings.update, { params: { id: edited.id }, body })
}

type StorageSelectProps = { edited: EditedMapping; disabled: boolean } & Pick<
  ComponentProps<typeof NativeSelect>,
  'value' | 'onChange' | 'error'
>

/** Selects a file storage without a mapping; the storage of a mapping is fixed. */
function StorageSelect({ edited, ...select }: StorageSelectProps) {
  const all = useRemote(storages, { query: { size: 500, sort: 'NAME', direction: 'asc' } }, 'sources')
  const mapped = useRemote(archiwareMappings.list, { query: { page: 1, size: 200 } }, 'archiwareMappings')
  const own = typeof edited === 'object' ? edited.volumeId : undefined
  const taken = new Set(mapped.data?.elements.map(({ volumeId }) => volumeId).filter((id) => id !== own))
  const options = (all.data?.elements ?? [])
    .filter(({ id, type }) => groupOfType(type) === 'file' && !taken.has(id))
    .map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <NativeSelect
      label="File Storage"
      data={[{ value: '', label: 'Choose a file storage', disabled: true }, ...(mapped.data ? options : [])]}
      data-autofocus
      {...select}
    />
  )
}
