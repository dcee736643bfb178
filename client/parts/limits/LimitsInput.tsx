import type { ReactNode } from 'react'
import { projects } from '#events/projects/calls.ts'
import { storages } from '#events/storages.ts'
import { type Limits, noLimits } from '#events/users/limits.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { ManualFolder, toggled } from '#client/parts/folder-picker/ManualFolder.tsx'
import { IdsSelect } from '#client/parts/settings-table/IdsSelect.tsx'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { Segments } from '#client/ui/form/Segments.tsx'
import { counted } from '#client/ui/text/count.ts'
import { RemoveFolder } from '#client/parts/folder-picker/RemoveFolder.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'

/** Counts of the places that a user or group sees, such as `2 projects, 1 storage`. */
export function limitsText({ everything, ...lists }: Limits): string {
  if (everything) return 'Everything'
  const parts = (['project', 'storage', 'folder'] as const).flatMap((noun) => {
    const { length } = lists[`${noun}s`]
    return length > 0 ? [counted(length, noun)] : []
  })
  return parts.join(', ') || 'Nothing'
}

const choices = [
  { value: 'everything', label: 'Everything' },
  { value: 'some', label: 'Only some' },
] as const

/** Input for limits: everything, or all of some projects, storages and folders. */
export function LimitsInput({ label, description, value, onChange, error, disabled }: InputProps<Limits>) {
  return (
    <div className="stack gap-8">
      <div className="stack">
        <span className="strong">{label}</span>
        <span className="muted small">{description}</span>
      </div>
      <Segments
        label={label}
        options={choices}
        chosen={value.everything ? 'everything' : 'some'}
        onChoose={(chosen) => onChange({ ...noLimits, everything: chosen === 'everything' })}
      />
      {!value.everything && <Places {...{ value, onChange, disabled }} />}
      {error && (
        <p className="critical small" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type PlacesProps = Pick<InputProps<Limits>, 'value' | 'onChange' | 'disabled'>

function Places({ value, onChange, disabled }: PlacesProps): ReactNode {
  // All projects of now, also while an older snapshot is selected.
  const { active } = useActiveDate()
  const query = { size: 1_000, sort: 'name', direction: 'asc' } as const
  const known = useRemote(projects.list, active && { query }, 'projects').data?.elements ?? (active ? undefined : [])
  const volumes = useRemote(storages, { query: { size: 1_000, sort: 'NAME', direction: 'asc' } }, 'sources').data
  const nameOf = (id: number) => volumes?.elements.find((volume) => volume.id === id)?.name ?? `Storage ${id}`
  const folders = value.folders.map(({ storageId, path }) => ({
    volumeId: storageId,
    volumeName: nameOf(storageId),
    path,
  }))
  const toggle = (folder: (typeof folders)[number]) =>
    onChange({
      ...value,
      folders: toggled(folders, folder).map(({ volumeId, path }) => ({ storageId: volumeId, path })),
    })
  return (
    <>
      <IdsSelect
        label="Projects"
        placeholder="No projects"
        known={known}
        value={value.projects.map(String)}
        onChange={(ids) => onChange({ ...value, projects: ids.map(Number) })}
        disabled={disabled}
      />
      <IdsSelect
        label="Storages"
        placeholder="No whole storages"
        known={volumes?.elements}
        value={value.storages.map(String)}
        onChange={(ids) => onChange({ ...value, storages: ids.map(Number) })}
        disabled={disabled}
      />
      <span className="strong">Folders</span>
      {folders.length > 0 && (
        <ul className="stack" aria-label="Folders">
          {folders.map((folder) => (
            <li className="row gap-8 min-32 line-bottom" key={`${folder.volumeId}:${folder.path}`}>
              <span className="muted">{folder.volumeName}</span>
              <PathText path={folder.path} />
              <span className="push">
                <RemoveFolder folder={folder} onRemove={toggle} disabled={disabled} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <ManualFolder folders={folders} onToggle={toggle} disabled={disabled} />
    </>
  )
}
