import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type Storage, storages } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { typedPath } from '#client/ui/text/path.ts'
import { PathInput } from './PathInput.tsx'

export type ChosenFolder = { volumeId: number; volumeName: string; path: string }

export type FolderChoice = {
  folders: readonly ChosenFolder[]
  /** Adds or removes a folder. */
  onToggle: (folder: ChosenFolder) => void
  disabled: boolean
}

const isSame = (one: ChosenFolder, other: ChosenFolder): boolean =>
  one.volumeId === other.volumeId && one.path === other.path

export const isAmong = (folders: readonly ChosenFolder[], folder: ChosenFolder): boolean =>
  folders.some((known) => isSame(known, folder))

/** Adds or removes a folder. */
export const toggled = (folders: readonly ChosenFolder[], folder: ChosenFolder): ChosenFolder[] =>
  isAmong(folders, folder) ? folders.filter((known) => !isSame(known, folder)) : [...folders, folder]

/** Adds a folder by storage and path, even if no scan has found it yet. */
export function ManualFolder({ folders, onToggle, disabled }: FolderChoice) {
  const query = { size: 1_000, sort: 'NAME', direction: 'asc' } as const
  const { data, error, retry } = useRemote(storages, { query }, 'sources')
  const [volumeId, setVolumeId] = useState('')
  const [text, setText] = useState('')
  const volume = data?.elements.find(({ id }) => String(id) === volumeId)
  const folder = chosenFolder(volume, text)
  const toggle = () => {
    if (!folder) return
    onToggle(folder)
    setText('')
  }
  return (
    <div className="stack gap-8">
      {error && !data && <InlineFailure error={error} retry={retry} />}
      <NativeSelect
        label="Storage"
        data={[
          { value: '', label: 'Choose a storage' },
          ...(data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={volumeId}
        disabled={disabled}
        onChange={({ currentTarget }) => setVolumeId(currentTarget.value)}
      />
      <PathInput
        key={volumeId}
        volumeId={volume?.id}
        text={text}
        onText={setText}
        onEnter={toggle}
        disabled={disabled}
      />
      <div>
        <Button variant="default" disabled={disabled || !folder} onClick={toggle}>
          {folder && isAmong(folders, folder) ? 'Remove folder' : 'Add folder'}
        </Button>
      </div>
    </div>
  )
}

/** The entered folder; undefined while storage or path is missing. */
function chosenFolder(volume: Storage | undefined, text: string): ChosenFolder | undefined {
  const path = typedPath(text)
  return volume && path !== undefined ? { volumeId: volume.id, volumeName: volume.name, path } : undefined
}
