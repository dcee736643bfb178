import { CloseButton, TextInput } from '@mantine/core'
import { IconCheck, IconFolder, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { folderSuggestions } from '#events/folders/browse.ts'
import type { Entry } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { useTypedCallback } from '#client/ui/form/composition.ts'
import { countText } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { type ChosenFolder, isAmong } from './projectForm.ts'
import classes from './ProjectForm.module.css'

/** Delay between typing and searching, in milliseconds. */
const debounceMs = 1_000

export type FolderChoice = {
  folders: readonly ChosenFolder[]
  /** Adds or removes a folder. */
  onToggle: (folder: ChosenFolder) => void
  disabled: boolean
}

/** Folders that match the typed path, grouped by storage. */
export function FolderSuggestions({ folders, onToggle, disabled }: FolderChoice) {
  const [text, setText] = useState('')
  const [typed, setTyped] = useState('')
  const suggestSoon = useTypedCallback(setTyped, debounceMs)
  const type = (next: string) => {
    setText(next)
    suggestSoon(next)
  }
  const { indexingDate } = useActiveDate()
  const isAsked = typed.trim() !== '' && text.trim() !== ''
  const query = { path: typed, size: 1_000, sort: 'name', direction: 'desc', indexingDate } as const
  const found = useRemote(folderSuggestions, isAsked ? { query } : undefined)
  return (
    <div className={classes.suggestions}>
      <TextInput
        label="Find folders"
        description="Part of a name, or a path such as /films/raw."
        leftSection={<IconSearch size={16} stroke={1.5} />}
        rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear" onClick={() => type('')} />}
        autoComplete="off"
        value={text}
        disabled={disabled}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {isAsked && (
        <div className={classes.found} aria-busy={found.loading}>
          <RemoteContent remote={found}>
            {({ elements, total }) => (
              <>
                {total === 0 && <p className={classes.none}>No folder found</p>}
                {[...Map.groupBy(elements, ({ volumeName }) => volumeName)].map(([name, entries]) => (
                  <Group key={name} {...{ name, entries, folders, onToggle, disabled }} />
                ))}
                {total > elements.length && (
                  <p className={classes.none}>
                    The first {countText(elements.length)} of {countText(total)} folders. Type more of the path.
                  </p>
                )}
              </>
            )}
          </RemoteContent>
        </div>
      )}
    </div>
  )
}

type GroupProps = FolderChoice & { name: string; entries: readonly Entry[] }

function Group({ name, entries, folders, onToggle, disabled }: GroupProps) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <ul>
        {entries.map(({ fileId, volumeId, volumeName, path, size }) => {
          const folder = { volumeId, volumeName, path }
          const isAdded = isAmong(folders, folder)
          const Sign = isAdded ? IconCheck : IconFolder
          return (
            <li key={fileId}>
              <button type="button" aria-pressed={isAdded} disabled={disabled} onClick={() => onToggle(folder)}>
                <Sign size={16} stroke={1.5} aria-hidden />
                <PathText path={path} />
                <Size bytes={size} />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
