import { useState } from 'react'
import { searchEntries } from '#events/criteria.ts'
import type { Call } from '#events/endpoint.ts'
import type { Entry, EntryPage } from '#events/entries.ts'
import { filesByHash, foldersByHash } from '#events/search.ts'
import { volumes } from '#events/snapshots.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'
import { Failure } from '../../ui/Failure.tsx'
import type { Loadable } from '../../ui/loadable.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Tab, Tabs } from '../../ui/Tabs.tsx'
import { RelatedTable } from './RelatedTable.tsx'
import { type RelatedPlace, relatedPlaces, relatedQueries } from './relatedQueries.ts'
import { type RelatedOrder, useRelatedOrder } from './relatedOrder.ts'

const titles = { 'On-Premises': 'On-Premises', cloud: 'Cloud', archive: 'Archive', deleted: 'Deleted' }
type TabKey = 'Duplicates' | RelatedPlace

/** What is like an entry, elsewhere; each side is read when it is first looked at. */
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
    { params: { hash: entry.identificationHash }, query: { ...order.asked, indexingDate } },
    'snapshots',
    'tags',
  )
  return <Found found={found} order={order} entry={entry} none={`No ${wordOf(entry)} found`} />
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
    { query: { ...order.asked, indexingDate }, body: queries },
    'snapshots',
    'tags',
  )
  return <Found found={found} order={order} entry={entry} none={none} />
}

type FoundProps = { found: Loadable<EntryPage>; order: RelatedOrder; entry: Entry; none: string }

function Found({ found, order, entry, none }: FoundProps) {
  if (!found.data) return <Waiting remote={found} />
  return <RelatedTable found={found.data} order={order} entry={entry} none={none} />
}

const Waiting = ({ remote }: { remote: Loadable<unknown> }) =>
  remote.error && !remote.loading ? <Failure error={remote.error} retry={remote.retry} /> : <Skeleton />

const wordOf = ({ isDirectory }: Entry) => (isDirectory ? 'folders' : 'files')
