import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages, fileStorageTypes } from '#events/sources/fileStorages.ts'
import { sources } from '#events/sources/kinds.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted } from '#client/ui/text/count.ts'
import { startBucketScan, startScan } from './startScan.tsx'
import classes from './ScanDialog.module.css'

type ScanDialogProps = {
  opened: boolean
  title?: string
  /** What is scanned. */
  kind?: ScanKind
  /** The storages that are selected when it opens. */
  selected: readonly number[] | 'all'
  /** The folders that scans of some storages are limited to, by the numbers of the storages. */
  folders?: Readonly<Record<string, string>>
  onClose: () => void
}

/** Chooses storages of a kind and starts their scan. */
export function ScanDialog({ opened, title = 'Scan', kind = 'fileStorage', ...rest }: ScanDialogProps) {
  const { selected, folders = {}, onClose } = rest
  const Choice = kind === 'bucket' ? BucketChoice : FileStorageChoice
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="M">
      {opened && <Choice selected={selected} folders={folders} onClose={onClose} />}
    </Dialog>
  )
}

type ScanKind = 'fileStorage' | 'bucket'
/** What can be chosen. */
type Scannable = { id: number; name: string; path: string }

/** Nobody sets up more file storages by hand than one page holds. */
const everyStorage = { page: 1, size: 500, sort: 'name', direction: 'asc', filterType: [...fileStorageTypes] } as const

type ChoiceProps = Required<Pick<ScanDialogProps, 'selected' | 'folders' | 'onClose'>>

function FileStorageChoice(props: ChoiceProps) {
  const { folders } = props
  const remote = useRemote(fileStorages.list, { query: everyStorage }, 'sources')
  const start = (volumeIds: number[], cloneIndex: boolean) => startScan({ volumeIds, folders, cloneIndex })
  return <Choice {...props} remote={remote} storages={remote.data?.elements} kind="fileStorage" start={start} />
}

const everyBucket = { page: 1, size: 500, sort: 'description', direction: 'asc' } as const

function BucketChoice(props: ChoiceProps) {
  const remote = useRemote(buckets.list, { query: everyBucket }, 'sources')
  const storages = remote.data?.elements.map(({ id, description, name }) => ({ id, name: description, path: name }))
  const start = (bucketIds: number[], cloneIndex: boolean) => startBucketScan({ bucketIds, cloneIndex })
  return <Choice {...props} remote={remote} storages={storages} kind="bucket" start={start} />
}

type Chosen = ChoiceProps & {
  kind: ScanKind
  start: (ids: number[], cloneIndex: boolean) => Promise<void>
}
type RemoteChoice = Chosen & { remote: Loadable<unknown>; storages: Scannable[] | undefined }

function Choice({ remote: { error, loading, retry }, storages, ...props }: RemoteChoice) {
  if (storages) return <Storages storages={storages} {...props} />
  return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={5} />
}

type StoragesProps = Chosen & { storages: Scannable[] }

function Storages({ storages, selected, folders, kind, start, onClose }: StoragesProps) {
  const [chosen, choose] = useState(() =>
    storages.map(({ id }) => id).filter((id) => selected === 'all' || selected.includes(id)),
  )
  const [cloneIndex, setCloneIndex] = useState(true)
  const [busy, scan] = useBusy(async (ids: number[]) => {
    await start(ids, cloneIndex)
    onClose()
  })
  return (
    <>
      <StorageChoice {...{ storages, folders, kind, chosen }} onChoose={choose} disabled={busy} />
      <Checkbox
        className={classes.option}
        label="Clone Index"
        description="The new snapshot also includes the other storages, as last scanned"
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
  storages: Scannable[]
  folders: ChoiceProps['folders']
  kind: ScanKind
  chosen: number[]
  onChoose: (ids: number[]) => void
  disabled: boolean
}

/** Longer lists can be searched. */
const searchedFrom = 10

function StorageChoice({ storages, folders, kind, chosen, onChoose, disabled }: StorageChoiceProps) {
  const { one, plural } = sources[kind]
  const [search, setSearch] = useState('')
  const shown = storages.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(search.toLowerCase()))
  const shownIds = shown.map(({ id }) => id)
  const others = chosen.filter((id) => !shownIds.includes(id))
  const isAll = shown.length > 0 && shownIds.every((id) => chosen.includes(id))
  if (storages.length === 0) return <p className={classes.note}>{`No ${one} is set up yet.`}</p>
  return (
    <fieldset className={classes.storages} disabled={disabled}>
      <legend className={classes.legend}>
        {`${plural.charAt(0).toUpperCase()}${plural.slice(1)}: ${chosen.length} of ${counted(storages.length, 'storage')} selected`}
      </legend>
      {storages.length >= searchedFrom && (
        <TextInput
          aria-label={`Search ${plural}`}
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
