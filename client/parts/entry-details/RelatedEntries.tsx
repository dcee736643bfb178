import { type ComponentProps, useState } from 'react'
import { searchEntries } from '#events/search/criteria.ts'
import type { Call } from '#events/contract/endpoint.ts'
import type { Entry, EntryPage } from '#events/entries.ts'
import { filesByHash, foldersByHash } from '#events/search/calls.ts'
import { volumes, type Volume } from '#events/snapshots.ts'
import { groupOfType, storageGroups } from '#events/sources/kinds.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { type Tab, Tabs } from '#client/ui/Tabs.tsx'
import { SetComparison } from '#client/parts/contents/SetComparison.tsx'
import { useContents } from '#client/parts/contents/useContents.ts'
import { duplicateRule, folderRule } from '#client/parts/duplicates/duplicateWords.ts'
import classes from './EntryDetails.module.css'
import { RelatedTable } from './RelatedTable.tsx'
import { useRelatedOrder } from './relatedOrder.ts'

const titles = { 'On-Premises': 'On-Premises', cloud: 'Cloud', archive: 'Archive', deleted: 'Deleted' }
type TabKey = 'Duplicates' | RelatedPlace

/** Similar entries in other places. Each tab loads when first opened. */
export function RelatedEntries({ entry }: { entry: Entry }) {
  const hasCopies = entry.identificationHash !== ''
  const [shown, show] = useState<TabKey>(hasCopies ? 'Duplicates' : 'On-Premises')
  const copies: Tab<TabKey>[] = hasCopies
    ? [{ key: 'Duplicates', title: 'Duplicates', content: <Copies entry={entry} /> }]
    : []
  const places = relatedPlaces.map((place): Tab<TabKey> => ({
    key: place,
    title: titles[place],
    content: <AtPlace entry={entry} place={place} />,
  }))
  const label = entry.isDirectory ? 'Related Folders' : 'Related Files'
  return <Tabs label={label} tabs={[...copies, ...places]} shown={shown} onShow={show} />
}

function Copies({ entry }: { entry: Entry }) {
  const { indexingDate } = useActiveDate()
  const order = useRelatedOrder()
  const endpoint = entry.isDirectory ? foldersByHash : filesByHash
  const found = useRemote(
    endpoint,
    { params: { hash: entry.identificationHash }, query: { ...order.query, indexingDate, exceptFileId: entry.fileId } },
    'snapshots',
    'tags',
  )
  const contents = useContents([entry], indexingDate)
  return (
    <>
      <p className={classes.rule}>{entry.isDirectory ? folderRule : duplicateRule}</p>
      {!entry.isDirectory && <SetComparison entry={entry} contents={contents} indexingDate={indexingDate} />}
      <RelatedList
        found={found}
        order={order}
        entry={entry}
        none={`No ${wordOf(entry)} found`}
        contents={entry.isDirectory ? undefined : contents}
      />
    </>
  )
}

function AtPlace({ entry, place }: { entry: Entry; place: RelatedPlace }) {
  const { indexingDate } = useActiveDate()
  const all = useRemote(volumes, { query: { size: 1_000, indexingDate } }, 'snapshots', 'volumes')
  if (!all.data) return <Waiting remote={all} />
  const queries = relatedQueries(entry, place, all.data.elements)
  const none = `No ${place} ${wordOf(entry)} found.`
  return queries ? <Matching entry={entry} queries={queries} none={none} /> : <Notice>{none}</Notice>
}

type Queries = Call<typeof searchEntries>['body']

function Matching({ entry, queries, none }: { entry: Entry; queries: Queries; none: string }) {
  const { indexingDate } = useActiveDate()
  const order = useRelatedOrder()
  const found = useRemote(
    searchEntries,
    { query: { ...order.query, indexingDate }, body: queries },
    'snapshots',
    'tags',
  )
  return <RelatedList found={found} order={order} entry={entry} none={none} />
}

type RelatedListProps = Omit<ComponentProps<typeof RelatedTable>, 'found'> & { found: Loadable<EntryPage> }

function RelatedList({ found, ...props }: RelatedListProps) {
  useFailureToast(found.error)
  if (!found.data) return <Waiting remote={found} />
  return <RelatedTable found={found.data} {...props} />
}

const Waiting = ({ remote }: { remote: Loadable<unknown> }) =>
  remote.error && !remote.loading ? <Failure error={remote.error} retry={remote.retry} /> : <Skeleton />

const wordOf = ({ isDirectory }: Entry) => (isDirectory ? 'folders' : 'files')

/** Places of similar entries. */
const relatedPlaces = ['On-Premises', 'cloud', 'archive', 'deleted'] as const
export type RelatedPlace = (typeof relatedPlaces)[number]

const placeOf = ({ type }: Pick<Volume, 'type'>): RelatedPlace => storageGroups[groupOfType(type)].place

/** Tolerated difference in bytes: for a file, or for each file of a folder. */
const tolerance = 1_024

/** Queries for similar entries: same name and almost the same size. Empty if no storage is of that place. */
export function relatedQueries(entry: Entry, place: RelatedPlace, volumes: readonly Pick<Volume, 'id' | 'type'>[]) {
  const same = [
    { name: { value: entry.name } },
    { isDirectory: { value: entry.isDirectory } },
    ...(entry.size < 0 ? [] : [{ size: aboutSize(entry) }]),
  ]
  if (place === 'deleted') return [...same, { isDeleted: { value: true } }]
  const values = volumes.filter((volume) => placeOf(volume) === place).map(({ id }) => id)
  if (values.length === 0) return undefined
  return [...same, { fileId: { value: entry.fileId }, excludeFilter: true }, { volumeId: { values } }]
}

function aboutSize({ size, isDirectory, numberOfFiles }: Entry) {
  const maxDifference = isDirectory ? tolerance * (numberOfFiles ?? 0) : tolerance
  return { min: Math.max(0, size - maxDifference), max: size + maxDifference }
}
