import { ActionIcon, TextInput } from '@mantine/core'
import { IconFolderSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useActiveDate } from '#client/app/activeDate.ts'
import { typedPath } from '#client/ui/text/path.ts'
import { PathSuggestion } from './PathSuggestion.tsx'
import { FolderPicker } from './FolderPicker.tsx'

type PathInputProps = {
  /** Storage of the path, once selected. */
  volumeId: number | undefined
  text: string
  onText: (text: string) => void
  onEnter: () => void
  disabled: boolean
  /** Folder that the picker opens first. */
  start?: string | undefined
}

/** Input for a folder path, with a folder picker. */
export function PathInput({ volumeId, text, onText, onEnter, disabled, start }: PathInputProps) {
  const { active } = useActiveDate()
  const [isPicking, pick] = useState(false)
  const canPick = volumeId !== undefined && active !== undefined
  return (
    <>
      <TextInput
        label="Path"
        placeholder="/films/raw"
        autoComplete="off"
        value={text}
        error={text !== '' && typedPath(text) === undefined && 'Path must begin with /'}
        disabled={disabled}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onEnter()
        }}
        rightSection={
          <ActionIcon
            aria-label="Choose the path from folders"
            title={canPick ? 'Choose a folder' : 'Choose a storage first'}
            aria-expanded={isPicking}
            disabled={disabled || !canPick}
            onClick={() => pick(!isPicking)}
          >
            <IconFolderSearch size={16} stroke={1.5} />
          </ActionIcon>
        }
      />
      <PathSuggestion volumeId={volumeId} text={text} onChoose={onText} />
      {isPicking && canPick && (
        <FolderPicker
          {...{ volumeId, start }}
          indexingDate={active.indexingDate}
          verb="Choose"
          onChoose={(path) => {
            onText(path)
            pick(false)
          }}
        />
      )}
    </>
  )
}
