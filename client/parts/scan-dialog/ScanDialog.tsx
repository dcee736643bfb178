import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type VolumeSetting, volumeSettings, volumeTypes } from '#events/volume-settings.ts'
import { useRemote } from '../../app/remote.ts'
import { useBusy } from '../../app/useBusy.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { counted } from '../../ui/text/count.ts'
import { startScan } from './startScan.tsx'
import classes from './ScanDialog.module.css'

type ScanDialogProps = {
  opened: boolean
  title?: string
  /** The file storages that are selected when it opens. */
  selected: readonly number[] | 'all'
  /** The folders that scans of some storages are limited to, by the numbers of the storages. */
  folders?: Readonly<Record<string, string>>
  onClose: () => void
}

/** Chooses file storages and starts their scan. */
export function ScanDialog({ opened, title = 'Scan', selected, folders = {}, onClose }: ScanDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="M">
      {opened && <Choice selected={selected} folders={folders} onClose={onClose} />}
    </Dialog>
  )
}

/** More file storages than one page may hold are not set up by hand. */
const everyStorage = { page: 1, size: 500, sort: 'name', direction: 'asc', filterType: [...volumeTypes] } as const

type ChoiceProps = Required<Pick<ScanDialogProps, 'selected' | 'folders' | 'onClose'>>

function Choice(props: ChoiceProps) {
  const { data, error, loading, retry } = useRemote(volumeSettings.list, { query: everyStorage }, 'volumeSettings')
  if (data) return <Storages storages={data.elements} {...props} />
  return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={5} />
}

type StoragesProps = ChoiceProps & { storages: VolumeSetting[] }

function Storages({ storages, selected, folders, onClose }: StoragesProps) {
  const [chosen, choose] = useState(() =>
    storages.map(({ id }) => id).filter((id) => selected === 'all' || selected.includes(id)),
  )
  const [cloneIndex, setCloneIndex] = useState(true)
  const [busy, scan] = useBusy(async (volumeIds: number[]) => {
    await startScan({ volumeIds, folders, cloneIndex })
    onClose()
  })
  return (
    <>
      <StorageChoice storages={storages} folders={folders} chosen={chosen} onChoose={choose} disabled={busy} />
      <Checkbox
        className={classes.option}
        label="Clone Index"
        description="The new snapshot also shows, as last indexed, the storages that are not scanned now"
        checked={cloneIndex}
        disabled={busy}
        onChange={({ currentTarget }) => setCloneIndex(currentTarget.checked)}
      />
      <p className={classes.note}>Scans may take minutes to hours.</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button
          variant="default"
          disabled={busy || storages.length === 0}
          onClick={() => scan(storages.map(({ id }) => id))}
        >
          Scan All
        </Button>
        <Button data-autofocus disabled={chosen.length === 0} loading={busy} onClick={() => scan(chosen)}>
          Scan
        </Button>
      </div>
    </>
  )
}

type StorageChoiceProps = {
  storages: VolumeSetting[]
  folders: ChoiceProps['folders']
  chosen: number[]
  onChoose: (ids: number[]) => void
  disabled: boolean
}

/** Longer lists can be searched. */
const searchedFrom = 10

function StorageChoice({ storages, folders, chosen, onChoose, disabled }: StorageChoiceProps) {
  const [search, setSearch] = useState('')
  const shown = storages.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(search.toLowerCase()))
  const shownIds = shown.map(({ id }) => id)
  const others = chosen.filter((id) => !shownIds.includes(id))
  const isAll = shown.length > 0 && shownIds.every((id) => chosen.includes(id))
  if (storages.length === 0) return <p className={classes.note}>No file storage is set up yet.</p>
  return (
    <fieldset className={classes.storages} disabled={disabled}>
      <legend className={classes.legend}>
        {`File storages: ${chosen.length} of ${counted(storages.length, 'storage')} selected`}
      </legend>
      {storages.length >= searchedFrom && (
        <TextInput
          aria-label="Search file storages"
          placeholder="Search by name or path"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <Checkbox
        className={classes.all}
        label="Select all"
        checked={isAll}
        indeterminate={!isAll && shownIds.some((id) => chosen.includes(id))}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked ? [...others, ...shownIds] : others)}
      />
      <ul className={classes.list}>
        {shown.map(({ id, name, path }) => (
          <li key={id}>
            <Checkbox
              label={name}
              description={folders[id] ? `${path} · only ${folders[id]}` : path}
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
