import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconCheck, IconFolder, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { folderSuggestions } from '#events/folders/browse.ts'
import type { Entry } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { type ChosenFolder, type FolderChoice, isAmong } from '#client/parts/folder-picker/ManualFolder.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { useTypedCallback } from '#client/ui/form/composition.ts'
import { countText } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { rankFolders } from './projectForm.ts'
import classes from './ProjectForm.module.css'

/** Delay between typing and searching, in milliseconds. */
const debounceMs = 1_000

/**
 * Folders that match the typed path, by relevance. Arrow keys in the input select one, and Enter adds or removes it.
 */
export function FolderSuggestions({ folders, onToggle, disabled }: FolderChoice) {
  const [text, setText] = useState('')
  const [typed, setTyped] = useState('')
  const suggestSoon = useTypedCallback(setTyped, debounceMs)
  const { indexingDate } = useActiveDate()
  const isAsked = typed.trim() !== '' && text.trim() !== ''
  const query = { path: typed, size: 1_000, sort: 'name', direction: 'desc', indexingDate } as const
  const found = useRemote(folderSuggestions, isAsked ? { query } : undefined)
  const options = isAsked ? (found.data?.elements ?? []) : []
  // The list is part of the form, so it can't be closed.
  const combobox = useCombobox({ opened: options.length > 0, loop: false })
  const type = (next: string) => {
    setText(next)
    combobox.resetSelectedOption()
    suggestSoon(next)
  }
  const submit = (fileId: string) => {
    const chosen = options.find((option) => option.fileId === fileId)
    if (chosen && !disabled) onToggle(folderOf(chosen))
  }
  return (
    <Combobox store={combobox} onOptionSubmit={submit} resetSelectionOnOptionHover>
      <div className="stack gap-8">
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            label="Find folders"
            description="Part of a name, or a path such as /films/raw"
            leftSection={<IconSearch size={16} stroke={1.5} />}
            rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear" onClick={() => type('')} />}
            value={text}
            disabled={disabled}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </Combobox.EventsTarget>
        {isAsked && (
          <div className={classes.found} aria-busy={found.loading}>
            <RemoteContent remote={found}>
              {({ elements, total }) => (
                <>
                  {total === 0 && <p className="muted">No folder found</p>}
                  {total > 0 && <Options entries={rankFolders(elements, typed)} folders={folders} />}
                  {total > elements.length && (
                    <p className="muted">
                      The first {countText(elements.length)} of {countText(total)} folders. Type more of the path.
                    </p>
                  )}
                </>
              )}
            </RemoteContent>
          </div>
        )}
      </div>
    </Combobox>
  )
}

const folderOf = ({ volumeId, volumeName, path }: Entry): ChosenFolder => ({ volumeId, volumeName, path })

type OptionsProps = { entries: readonly Entry[]; folders: readonly ChosenFolder[] }

/** By storage; the one with the most relevant folder is first. */
function Options({ entries, folders }: OptionsProps) {
  return (
    <Combobox.Options aria-label="Folders">
      {[...Map.groupBy(entries, ({ volumeName }) => volumeName)].map(([name, entries]) => (
        <Combobox.Group key={name} label={name}>
          {entries.map((entry) => {
            const isAdded = isAmong(folders, folderOf(entry))
            const Sign = isAdded ? IconCheck : IconFolder
            return (
              <Combobox.Option
                key={entry.fileId}
                value={entry.fileId}
                className={classes.option}
                aria-selected={isAdded}
                active={isAdded}
              >
                <Sign size={16} stroke={1.5} aria-hidden />
                <PathText path={entry.path} />
                <Size bytes={entry.size} />
              </Combobox.Option>
            )
          })}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  )
}
