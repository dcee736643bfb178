import { Button } from '@mantine/core'
import { IconDatabase, IconFile, IconFolder } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { FolderDetails } from '#events/folders.ts'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '../app/links.ts'
import { Cost } from '../parts/cost/Cost.tsx'
import type { Price } from '../parts/cost/CostCell.tsx'
import { DetailsGrid } from '../parts/entry-details/DetailsGrid.tsx'
import { type KnownEntry, useWholeEntry } from '../parts/entry-details/useWholeEntry.ts'
import { openEntryDetails } from '../parts/entry-details/entryDetails.state.ts'
import { lossOf } from '../parts/entry-details/gone.ts'
import { EntryTags } from '../parts/entry-details/EntryTags.tsx'
import { visible } from '../parts/entry-text/EntryName.tsx'
import { Chip } from '../ui/Chip.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { Refused } from '../ui/Refused.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VolumeFacts } from './VolumeFacts.tsx'
import { volumeName } from '../parts/storages/volumeWords.ts'
import classes from './Details.module.css'

type DetailsPanelProps = {
  /** The file or folder that is looked at. */
  entry: KnownEntry | undefined
  /** The folder whose content is listed. */
  path: string
  folder: Loadable<FolderDetails>
  /** Null when the snapshot has none of this id. */
  volume: Loadable<Volume | null>
  price: Price
}

/** A file or folder, else the folder that is listed, else the volume. */
export function DetailsPanel({ entry, path, folder, volume, price }: DetailsPanelProps) {
  if (entry)
    return lossOf(entry) ? <EntryFacts entry={entry} price={price} /> : <LookedAt entry={entry} price={price} />
  if (path !== '/')
    return (
      <Loaded remote={folder} skeleton={waiting}>
        {(folder) => <EntryFacts entry={folder} price={price} />}
      </Loaded>
    )
  return (
    <Loaded remote={volume} skeleton={waiting}>
      {(volume) => volume && <WholeVolume volume={volume} />}
    </Loaded>
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
    </Facts>
  )
}

type EntryFactsProps = { entry: KnownEntry; asked?: Loadable<unknown> | undefined; price: Price }

/** What its row tells of it is there at once, the rest as it comes. */
function LookedAt({ entry: row, price }: EntryFactsProps) {
  const { entry, asked } = useWholeEntry(row)
  return <EntryFacts entry={entry} asked={asked} price={price} />
}

function EntryFacts({ entry, asked, price }: EntryFactsProps) {
  const links = useLinks()
  const { volumeId, path } = entry
  const loss = lossOf(entry)
  return (
    <Facts title={visible(entry.name)} icon={entry.isDirectory ? folderIcon : fileIcon}>
      {loss && (
        <div className={classes.gone}>
          <Chip tone="critical">{loss}</Chip>
        </div>
      )}
      <DetailsGrid entry={entry} asked={asked} cost={costOf(entry.size, price)} />
      {!loss && <EntryTags entry={entry} />}
      {!loss && (
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

/** What it costs; nothing while the price is read. */
function costOf(bytes: number, { data, error, loading, retry }: Price): ReactNode {
  if (data !== undefined) return <Cost bytes={bytes} price={data} />
  return error && !loading ? <Refused error={error} retry={retry} /> : null
}

function Facts({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode }) {
  return (
    <>
      <header className={classes.head}>
        {icon}
        <h2 title={title}>
          <bdi>{title}</bdi>
        </h2>
      </header>
      <div className={classes.panel}>{children}</div>
    </>
  )
}
