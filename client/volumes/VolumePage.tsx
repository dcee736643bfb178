import { IconDatabaseOff } from '@tabler/icons-react'
import { Link, useParams } from 'wouter'
import type { DetailedVolume } from '#events/storages.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { CallError } from '#client/app/call.ts'
import { linksAt, useLinks } from '#client/app/links.ts'
import { useDetailedVolume } from '#client/parts/storages/useDetailedVolume.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { VolumeAnalytics } from './VolumeAnalytics.tsx'

/** A storage in the active snapshot: capacity, cost, history, and statistics of its files. */
export function VolumePage() {
  const { id = '' } = useParams<{ id: string }>()
  const isId = /^[1-9]\d{0,8}$/.test(id)
  return isId ? <KnownVolume key={id} id={Number(id)} /> : <NoVolume id={id} />
}

function KnownVolume({ id }: { id: number }) {
  const volume = useDetailedVolume(id)
  const { active, dates } = useActiveDate()
  const { data, error } = volume
  if (error instanceof CallError && error.status === 404) return <NoVolume id={String(id)} />
  if (data === undefined || dates.data === undefined) return <Waiting remotes={[volume, dates]} />
  const isOfDate = data?.indexingDate === active?.indexingDate
  // Shows the previous snapshot while a new one loads.
  if (data && (isOfDate || volume.loading || dates.loading)) return <VolumeAnalytics volume={data} remote={volume} />
  return <NoData last={data} />
}

function Waiting({ remotes }: { remotes: Loadable<unknown>[] }) {
  const failed = remotes.filter(({ error }) => error)
  return (
    <Page title={title}>
      <Card
        title="Storage details"
        remote={{
          data: undefined,
          error: failed[0]?.error,
          loading: remotes.some(({ loading }) => loading),
          retry: () => failed.forEach(({ retry }) => retry()),
        }}
        skeleton={<Skeleton rows={12} />}
      >
        {() => null}
      </Card>
    </Page>
  )
}

const title = 'Storage analytics'

function NoVolume({ id }: { id: string }) {
  const links = useLinks()
  return (
    <Page title={title}>
      <Notice icon={IconDatabaseOff} step={<Link href={links.storages()}>All storages</Link>}>
        There is no storage {id}.
      </Notice>
    </Page>
  )
}

/** Empty state: the storage exists, but is not part of the snapshot. */
function NoData({ last }: { last: DetailedVolume | null }) {
  const step = last && (
    <Link href={linksAt(last.indexingDate).volume(last.id)}>Its snapshot of {last.indexingDate}</Link>
  )
  return (
    <Page title={last ? volumeName(last) : title}>
      <Notice icon={IconDatabaseOff} step={step}>
        There is no data for this indexing date.
      </Notice>
    </Page>
  )
}
