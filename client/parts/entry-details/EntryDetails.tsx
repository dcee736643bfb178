import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useLinks } from '../../app/links.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { parentOf } from '../../ui/text/path.ts'
import { DetailsGrid } from './DetailsGrid.tsx'
import { EntryTags } from './EntryTags.tsx'
import { RelatedEntries } from './RelatedEntries.tsx'
import { closeEntryDetails, details } from './entryDetails.state.ts'
import { lossOf } from './gone.ts'
import { isWhole, type KnownEntry, useWholeEntry } from './useWholeEntry.ts'
import classes from './EntryDetails.module.css'

/** The details of the file or folder that was opened last, over whatever screen is shown. */
export function EntryDetails() {
  const { entry, isFromSearch } = useSnapshot(details)
  const title = entry?.isDirectory ? 'Folder Details' : 'File Details'
  return (
    <Dialog opened={entry !== undefined} title={title} size="L" onClose={closeEntryDetails}>
      {entry && (
        <Details key={`${entry.volumeId}:${entry.path}`} opened={entry as KnownEntry} isFromSearch={isFromSearch} />
      )}
    </Dialog>
  )
}

function Details({ opened, isFromSearch }: { opened: KnownEntry; isFromSearch: boolean }) {
  const { entry, asked } = useWholeEntry(opened)
  const [isLooking, look] = useState(false)
  const label = entry.isDirectory ? 'Related Folders' : 'Related Files'
  const fate = lossOf(entry) ?? (entry.previousPath ? 'Moved or renamed' : undefined)
  return (
    <div className={classes.details} data-gone={fate !== undefined || undefined}>
      {fate && <Chip tone="critical">{fate}</Chip>}
      <DetailsGrid entry={entry} asked={asked} />
      <EntryTags entry={entry} />
      <section aria-label={label}>
        {isLooking && isWhole(entry) ? (
          <RelatedEntries entry={entry} />
        ) : (
          <Button variant="default" disabled={!isWhole(entry)} onClick={() => look(true)}>
            {label}
          </Button>
        )}
      </section>
      <Actions entry={entry} isFromSearch={isFromSearch} />
    </div>
  )
}

function Actions({ entry, isFromSearch }: { entry: KnownEntry; isFromSearch: boolean }) {
  const links = useLinks()
  const { volumeId, path, name, isDirectory } = entry
  const place = isDirectory ? { volumeId, path } : { volumeId, path: parentOf(path), fileName: name }
  return (
    <div className={classes.actions}>
      {isDirectory && (
        <Button
          variant="default"
          component={Link}
          href={links.search({ startingPath: path, volumeId: String(volumeId) })}
          onClick={closeEntryDetails}
        >
          Search in folder
        </Button>
      )}
      {isDirectory && (
        <Button variant="default" component={Link} href={links.folders({ volumeId, path })} onClick={closeEntryDetails}>
          Folder analytics
        </Button>
      )}
      {(isFromSearch || isDirectory) && lossOf(entry) === undefined && (
        <Button variant="default" component={Link} href={links.fileManagement(place)} onClick={closeEntryDetails}>
          Show in File Management
        </Button>
      )}
      <Button data-autofocus onClick={closeEntryDetails}>
        Close
      </Button>
    </div>
  )
}
