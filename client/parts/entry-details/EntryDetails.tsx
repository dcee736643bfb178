import { ActionIcon, Button, CloseButton } from '@mantine/core'
import { useFocusTrap, useMergedRef } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, type Icon } from '@tabler/icons-react'
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import type { Entry } from '#events/entries.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useLinks } from '#client/app/links.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { entryKey } from '#client/parts/selection/selection.ts'
import { useKeyDown } from '#client/ui/useKeyDown.ts'
import { isHandledElsewhere } from '#client/ui/keys.ts'
import { parentOf } from '#client/ui/text/path.ts'
import { useIsBelow } from '#client/ui/useIsBelow.ts'
import { DetailsGrid } from './DetailsGrid.tsx'
import { MediaTracks } from '#client/parts/media/MediaTracks.tsx'
import { EntryTags } from './EntryTags.tsx'
import { RelatedEntries } from './RelatedEntries.tsx'
import { closeEntryDetails, details, entryBeside, openEntryDetails } from './entryDetails.state.ts'
import { removalText } from './entryStatus.ts'
import { isFullEntry, type KnownEntry, useFullEntry } from './useFullEntry.ts'
import classes from './EntryDetails.module.css'

/**
 * Details of the last opened file or folder: next to the content of any screen, or on narrow screens above it. `j` and `k` lead to the next
 * and the previous entry of its list.
 */
export function EntryDetails() {
  const { entry, isFromSearch } = useSnapshot(details)
  return entry && <Dock entry={entry as KnownEntry} isFromSearch={isFromSearch} />
}

function Dock({ entry, isFromSearch }: { entry: KnownEntry; isFromSearch: boolean }) {
  const coversPage = useIsBelow(1024)
  const trap = useFocusTrap(coversPage)
  const dock = useRef<HTMLDivElement>(null)
  const key = entryKey(entry)
  const takeFocus = useEffectEvent((_: string) => {
    if (!dock.current?.contains(document.activeElement)) dock.current?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => takeFocus(key), [key])
  const [before] = useState(() => document.activeElement)
  const close = () => {
    // The row of the entry, unless its list has none.
    const place = document.querySelector<HTMLElement>('tr[data-opened]') ?? before
    closeEntryDetails()
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && place instanceof HTMLElement) place.focus({ preventScroll: true })
    })
  }
  useKeyDown((event) => {
    if (event.key === 'Escape' && !isHandledElsewhere(event)) close()
  })
  const step = (by: 1 | -1) => {
    const next = entryBeside(by)
    if (next) openEntryDetails(next, details.isFromSearch ? 'search' : undefined, details.list)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, nativeEvent } = event
    if (!(target instanceof Node && dock.current?.contains(target)) || target instanceof HTMLInputElement) return
    const by = ({ j: 1, k: -1 } as Record<string, 1 | -1>)[event.key]
    if ((by === undefined && event.key !== 'Escape') || (isHandledElsewhere(nativeEvent) && !coversPage)) return
    event.preventDefault()
    if (by === undefined) close()
    else step(by)
  }
  const title = entry.isDirectory ? 'Folder Details' : 'File Details'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of everything in it
    <div
      ref={useMergedRef(trap, dock)}
      className={classes.dock}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the same element is docked and modal
      role="dialog"
      aria-label={title}
      aria-modal={coversPage || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={classes.head}>
        <h2 className="heading grow truncate">{title}</h2>
        <Step label="Previous" icon={IconChevronUp} onStep={entryBeside(-1) && (() => step(-1))} />
        <Step label="Next" icon={IconChevronDown} onStep={entryBeside(1) && (() => step(1))} />
        <CloseButton aria-label="Close" onClick={close} />
      </header>
      <Details key={key} opened={entry} isFromSearch={isFromSearch} onClose={close} />
    </div>
  )
}

type StepProps = { label: 'Previous' | 'Next'; icon: Icon; onStep: (() => void) | undefined }

const Step = ({ label, icon: Sign, onStep }: StepProps) => (
  <ActionIcon
    variant="subtle"
    aria-label={label}
    title={`${label} (${label === 'Next' ? 'j' : 'k'})`}
    aria-disabled={!onStep}
    {...(onStep ? { onClick: onStep } : { 'data-disabled': true })}
  >
    <Sign size={18} stroke={1.5} />
  </ActionIcon>
)

type DetailsProps = { opened: KnownEntry; isFromSearch: boolean; onClose: () => void }

function Details({ opened, isFromSearch, onClose }: DetailsProps) {
  const { entry, remote } = useFullEntry(opened)
  const { data: stored, error, retry } = useStoredFile(opened)
  const [wantsRelated, look] = useState(false)
  // Copies are listed at once.
  const isLooking = wantsRelated || (entry.dupe === true && !entry.isDirectory)
  const label = entry.isDirectory ? 'Related Folders' : 'Related Files'
  const status = removalText(entry) ?? (entry.previousPath ? 'Moved or renamed' : undefined)
  return (
    <div className={classes.details} data-gone={status !== undefined || undefined}>
      {status && <Chip tone="critical">{status}</Chip>}
      <DetailsGrid entry={stored ? { ...entry, metadata: stored.metadata } : entry} remote={remote} />
      {error && <InlineFailure error={error} retry={retry} />}
      {!entry.isDirectory && <MediaTracks entry={entry} />}
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
      <Actions entry={entry} isFromSearch={isFromSearch} onClose={onClose} />
    </div>
  )
}

/**
 * A file with the knowledge of Quantum StorNext about it. Nothing is loaded for folders and deleted files, without the bundle, and
 * for users who may not ask.
 */
function useStoredFile(entry: KnownEntry): Loadable<Entry> {
  const { indexingDate } = useActiveDate()
  const { user } = useSnapshot(session)
  const mayAsk = useLicence()('storageManager') && userMay(user as CurrentUser | undefined, storageManagerFile)
  const isAsked = mayAsk && !entry.isDirectory && !entry.deleted
  const input = { params: { fileId: entry.fileId }, query: { indexingDate } }
  return useRemote(storageManagerFile, isAsked ? input : undefined, 'snapshots', 'storNextMappings')
}

function Actions({ entry, isFromSearch, onClose }: { entry: KnownEntry } & Omit<DetailsProps, 'opened'>) {
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
      <Button onClick={onClose}>Close</Button>
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
