import { NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fullPathOf, isOfWindows } from '#events/sources/fullPath.ts'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import { FolderPicker } from '#client/parts/folder-picker/FolderPicker.tsx'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'

type LocationDialogProps = {
  location: string
  storages: ItemRule | undefined
  onSelect: (location: string) => void
  onClose: () => void
}

/** Selects a folder by its path, or from the newest snapshot of a storage. */
export function LocationDialog({ location, storages, onSelect, onClose }: LocationDialogProps) {
  const [text, setText] = useState(location)
  const [storageId, chooseStorage] = useState('')
  const volumes = useVolumesAt(undefined)
  const mapped = volumes.data?.elements.filter((volume) => storages?.acceptsVolume(volume)) ?? []
  const storage = mapped.find(({ id }) => String(id) === storageId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isFullPath(text)) onSelect(text)
  }
  return (
    <FormDialog opened title="Select location" size="M" onClose={onClose}>
      <DialogForm busy={false} saves="Select" disabled={!isFullPath(text)} onSubmit={submit} onClose={onClose}>
        {volumes.error && !volumes.loading && <InlineFailure error={volumes.error} retry={volumes.retry} />}
        <NativeSelect
          label="Storage"
          description="Shows the folders of a storage to choose from"
          data={[
            { value: '', label: 'Choose a storage', disabled: true },
            ...mapped.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={storage ? storageId : ''}
          data-autofocus
          onChange={({ currentTarget }) => {
            const chosen = mapped.find(({ id }) => String(id) === currentTarget.value)
            chooseStorage(currentTarget.value)
            if (chosen) setText(chosen.fullPath)
          }}
        />
        {storage && (
          <FolderPicker
            key={storage.id}
            volumeId={storage.id}
            indexingDate={storage.indexingDate}
            verb="Choose"
            onChoose={(path) => setText(fullPathOf(storage.fullPath, path))}
          />
        )}
        <TextInput
          label="Location"
          description="Full path of the folder on the Storage Manager agent"
          placeholder="/stornext/restored"
          autoComplete="off"
          value={text}
          error={text !== '' && !isFullPath(text) && 'Location must be a full path'}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </DialogForm>
    </FormDialog>
  )
}

const isFullPath = (text: string): boolean => text.startsWith('/') || isOfWindows(text)
