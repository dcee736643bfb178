import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import type { Entry } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useLinks } from '#client/app/links.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { parentOf } from '#client/ui/text/path.ts'
import { DetailsGrid } from './DetailsGrid.tsx'
import { EntryTags } from './EntryTags.tsx'
import { RelatedEntries } from './RelatedEntries.tsx'
import { closeEntryDetails, details } from './entryDetails.state.ts'
import { removalText } from './entryStatus.ts'
import { isFullEntry, type KnownEntry, useFullEntry } from './useFullEntry.ts'
import classes from './EntryDetails.module.css'

/** Details of the last opened file or folder, on top of any screen. */
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
  const { entry, remote } = useFullEntry(opened)
  const { data: stored, error, retry } = useStoredFile(opened)
  const [isLooking, look] = useState(false)
  const label = entry.isDirectory ? 'Related Folders' : 'Related Files'
  const status = removalText(entry) ?? (entry.previousPath ? 'Moved or renamed' : undefined)
  return (
    <div className={classes.details} data-gone={status !== undefined || undefined}>
      {status && <Chip tone="critical">{status}</Chip>}
      <DetailsGrid entry={stored ? { ...entry, metadata: stored.metadata } : entry} remote={remote} />
      {error && <InlineFailure error={error} retry={retry} />}
      <EntryTags entry={entry} />
      <section aria-label={label}>
        {isLooking && isFullEntry(entry) ? (
          <RelatedEntries entry={entry} />
        ) : (
          <Button variant="default" disabled={!isFullEntry(entry)} onClick={() => look(true)}>
            {label}
          </Button>
        )}
      </section>
      <Actions entry={entry} isFromSearch={isFromSearch} />
    </div>
  )
}

/** A file with the knowledge of Quantum StorNext about it. Nothing is loaded for folders and deleted files, and without the bundle. */
function useStoredFile(entry: KnownEntry): Loadable<Entry> {
  const { indexingDate } = useActiveDate()
  const isAsked = useLicence()('storageManager') && !entry.isDirectory && !entry.deleted
  const input = { params: { fileId: entry.fileId }, query: { indexingDate } }
  return useRemote(storageManagerFile, isAsked ? input : undefined, 'snapshots', 'storNextMappings')
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
          href={links.search(searchWithin(isFromSearch ? location.search : '', entry))}
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
      {(isFromSearch || isDirectory) && removalText(entry) === undefined && (
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

/** Limits the current search to a folder. Keeps text and filters, except for the filter by storage. */
export function searchWithin(search: string, { volumeId, path }: Pick<KnownEntry, 'volumeId' | 'path'>) {
  const query = new URLSearchParams(search)
  for (const name of ['date', 'page', 'storageId', 'storageAndPath', 'criteria']) query.delete(name)
  const kept = Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))
  return { ...kept, startingPath: path, volumeId: String(volumeId) }
}
