import { Button } from '@mantine/core'
import { IconDatabase, IconFile, IconFolder } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Link } from 'wouter'
import type { FolderDetails } from '#events/folders/calls.ts'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '#client/app/links.ts'
import { Cost } from '#client/parts/cost/Cost.tsx'
import type { Price } from '#client/parts/cost/CostCell.tsx'
import { DetailsGrid } from '#client/parts/entry-details/DetailsGrid.tsx'
import { type KnownEntry, useFullEntry } from '#client/parts/entry-details/useFullEntry.ts'
import { openEntryDetails } from '#client/parts/entry-details/entryDetails.state.ts'
import { removalText } from '#client/parts/entry-details/entryStatus.ts'
import { EntryTags } from '#client/parts/entry-details/EntryTags.tsx'
import { useSeen } from '#client/ui/useSeen.ts'
import { visible } from '#client/ui/text/visible.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { VolumeFacts } from './VolumeFacts.tsx'
import classes from './Details.module.css'

const VolumeStatistics = lazy(() => import('./VolumeStatistics.tsx').then((m) => ({ default: m.VolumeStatistics })))

type DetailsPanelProps = {
  /** Selected file or folder. */
  entry: KnownEntry | undefined
  /** Open folder. */
  path: string
  folder: Loadable<FolderDetails>
  /** Null if the snapshot has no such volume. */
  volume: Loadable<Volume | null>
  price: Price
}

/** Details of the selected entry, else of the open folder or the volume. */
export function DetailsPanel({ entry, path, folder, volume, price }: DetailsPanelProps) {
  if (entry)
    return removalText(entry) ? <EntryFacts entry={entry} price={price} /> : <ShownEntry entry={entry} price={price} />
  if (path !== '/')
    return (
      <RemoteContent remote={folder} skeleton={waiting}>
        {(folder) => <EntryFacts entry={folder} price={price} />}
      </RemoteContent>
    )
  return (
    <RemoteContent remote={volume} skeleton={waiting}>
      {(volume) => volume && <WholeVolume volume={volume} />}
    </RemoteContent>
  )
}

const waiting = <Skeleton rows={6} isInset />
const volumeIcon = <IconDatabase size={18} stroke={1.5} aria-hidden />
const folderIcon = <IconFolder size={18} stroke={1.5} aria-hidden />
const fileIcon = <IconFile size={18} stroke={1.5} aria-hidden />

function WholeVolume({ volume }: { volume: Volume }) {
  const links = useLinks()
  return (
    <Facts title={volumeName(volume)} icon={volumeIcon}>
      <VolumeFacts volume={volume} />
      <Button variant="default" component={Link} href={links.volume(volume.id)}>
        See analytics of storage
      </Button>
      <Button variant="default" component={Link} href={links.comparison({ volumeId: volume.id, path: '/' })}>
        Compare
      </Button>
      <Charts id={volume.id} />
    </Facts>
  )
}

/** Charts of a volume. They are below the facts, and load when they come into view. */
function Charts({ id }: { id: number }) {
  const room = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(room)
  return (
    <div ref={room} className={classes.charts}>
      {isSeen && (
        <Suspense fallback={waiting}>
          <VolumeStatistics id={id} />
        </Suspense>
      )}
    </div>
  )
}

type EntryFactsProps = { entry: KnownEntry; remote?: Loadable<unknown> | undefined; price: Price }

/** Shows the fields of the row at once, and the others when they are loaded. */
function ShownEntry({ entry: row, price }: EntryFactsProps) {
  const { entry, remote } = useFullEntry(row)
  return <EntryFacts entry={entry} remote={remote} price={price} />
}

function EntryFacts({ entry, remote, price }: EntryFactsProps) {
  const links = useLinks()
  const { volumeId, path } = entry
  const removal = removalText(entry)
  return (
    <Facts title={visible(entry.name)} icon={entry.isDirectory ? folderIcon : fileIcon}>
      {removal && (
        <div className={classes.gone}>
          <Chip tone="critical">{removal}</Chip>
        </div>
      )}
      <DetailsGrid entry={entry} remote={remote} cost={costOf(entry, price)} />
      {!removal && <EntryTags entry={entry} />}
      {!removal && (
        <Button variant="default" onClick={() => openEntryDetails(entry)}>
          {entry.isDirectory ? 'Folder Details' : 'File Details'}
        </Button>
      )}
      {entry.isDirectory && (
        <Button variant="default" component={Link} href={links.folders({ volumeId, path })}>
          Folder analytics
        </Button>
      )}
      {entry.isDirectory && (
        <Button variant="default" component={Link} href={links.comparison({ volumeId, path })}>
          Compare
        </Button>
      )}
    </Facts>
  )
}

/** Cost; empty while the price loads. Files have one storage class, the contents of a folder may have several. */
function costOf(
  { size, billedSize = size, isDirectory, storageClass }: KnownEntry,
  { data, error, loading, retry }: Price,
): ReactNode {
  const part = isDirectory ? {} : { storageClass }
  if (data !== undefined) return <Cost bytes={billedSize} price={data} part={part} />
  return error && !loading ? <InlineFailure error={error} retry={retry} /> : null
}

function Facts({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode }) {
  return (
    <>
      <header className={classes.head}>
        {icon}
        <h2 className="heading ellipsis grow pre" title={title}>
          <bdi>{title}</bdi>
        </h2>
      </header>
      <div className="stack inset gap-16">{children}</div>
    </>
  )
}
