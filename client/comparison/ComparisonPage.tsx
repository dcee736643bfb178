import { Button } from '@mantine/core'
import { IconCalendarOff, IconAlertTriangle, IconHome } from '@tabler/icons-react'
import { Link } from 'wouter'
import { folderHistory } from '#events/folders/calls.ts'
import { useQuery } from '#client/app/address.ts'
import { NoFolder } from '#client/parts/folder-place/NoFolder.tsx'
import { Page } from '#client/ui/Page.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { PreviousDate } from '#client/parts/previous-date/PreviousDate.tsx'
import {
  type PreviousDateChoice,
  useMonthBefore,
  usePreviousDate,
} from '#client/parts/previous-date/usePreviousDate.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { useLinks } from '#client/app/links.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Breadcrumb } from '#client/parts/breadcrumb/Breadcrumb.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { readPlace, type ComparedPlace } from './comparisonAddress.ts'
import { ComparedDates } from './ComparedDates.tsx'
import classes from './Comparison.module.css'

const title = 'Comparison'

/** Changes to a folder, or to everything, since an earlier snapshot. */
export function ComparisonPage() {
  const [query] = useQuery()
  const place = readPlace(query)
  if (!place)
    return (
      <Page title={title}>
        <NoFolder />
      </Page>
    )
  return <ComparedFolder key={`${place.volumeId} ${place.path}`} place={place} />
}

/** Compares with the date in the URL, or with the default date. */
function ComparedFolder({ place }: { place: ComparedPlace }) {
  const { volumeId, path } = place
  const { active } = useActiveDate()
  const compared = usePreviousDate()
  const history = useRemote(
    folderHistory,
    volumeId === undefined ? undefined : { query: { path, volumeId } },
    'snapshots',
  )
  // Drops a date that has no snapshot.
  const requested = compared.requested === compared.date ? compared.requested : undefined
  const content = () => {
    if (history.data?.length === 0) return <NoFolder />
    if (!active || !compared.areKnown) return <Skeleton rows={8} />
    const now = active.indexingDate
    if (compared.date === undefined) return <NoEarlierSnapshot now={now} />
    return (
      <div className={`stack gap-12 ${classes.page}`}>
        <DateReplaced requested={compared.requested} previous={compared.date} now={now} choose={compared.choose} />
        <ComparedDates
          place={place}
          dates={{ previous: compared.date, now }}
          older={compared.earlier}
          history={history}
          choose={compared.choose}
        />
      </div>
    )
  }
  return (
    <Page
      title={title}
      leading={compared.date !== undefined && <ComparedDate {...compared} />}
      actions={<PlaceLinks place={place} previousDate={requested} />}
      tabs={<PlaceBreadcrumb place={place} requested={requested} />}
    >
      {content()}
    </Page>
  )
}

/** Earlier date, and a shortcut to the snapshot of about 30 days before. */
function ComparedDate(compared: PreviousDateChoice) {
  const month = useMonthBefore()
  return (
    <>
      <PreviousDate {...compared} />
      {month !== undefined && (
        <Button
          variant={compared.date === month ? 'light' : 'default'}
          size="xs"
          aria-pressed={compared.date === month}
          title={`Since ${month}`}
          onClick={() => compared.choose(month)}
        >
          30 days
        </Button>
      )}
    </>
  )
}

/** The active snapshot is the first one. */
function NoEarlierSnapshot({ now }: { now: string }) {
  const { isNewest, choose } = useActiveDate()
  const links = useLinks()
  const step = isNewest ? (
    <Button component={Link} href={links.schedules()} variant="default">
      See when scans run
    </Button>
  ) : (
    <Button onClick={() => choose(undefined)}>Newest snapshot</Button>
  )
  return (
    <Notice icon={IconCalendarOff} step={step}>
      There is no snapshot before {now} to compare with.
    </Notice>
  )
}

type DateReplacedProps = {
  requested: string | undefined
  previous: string
  now: string
  choose: (date: string) => void
}

/** Notice that the requested date has no snapshot, with the date compared instead. */
function DateReplaced({ requested, previous, now, choose }: DateReplacedProps) {
  if (requested === undefined || requested === previous) return null
  return (
    <output className={classes.other}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>
        There is no snapshot of <bdi>{requested.slice(0, 40) || 'this date'}</bdi> before{' '}
        <time className="nowrap">{now}</time>. Comparing with <time className="nowrap">{previous}</time> instead.
      </span>
      <Button variant="default" size="compact-sm" onClick={() => choose(previous)}>
        Keep {previous}
      </Button>
    </output>
  )
}

type PlaceLinksProps = { place: ComparedPlace; previousDate: string | undefined }

/** Links to other screens for the folder. */
function PlaceLinks({ place: { volumeId, path }, previousDate }: PlaceLinksProps) {
  const links = useLinks()
  const look = { component: Link, variant: 'default' } as const
  if (volumeId === undefined)
    return (
      <Button {...look} href={links.fileManagement()}>
        File Management
      </Button>
    )
  return (
    <>
      <Button {...look} href={links.folders({ volumeId, path, previousDate })}>
        Folder analytics
      </Button>
      <Button {...look} href={links.fileManagement({ volumeId, path, previousDate })}>
        File Management
      </Button>
    </>
  )
}

type PlaceBreadcrumbProps = { place: ComparedPlace; requested: string | undefined }

/** Path of the compared folder. Parent folders link to their comparison, the home icon to that of everything. */
function PlaceBreadcrumb({ place: { volumeId, path }, requested }: PlaceBreadcrumbProps) {
  const links = useLinks()
  const volumes = useVolumes()
  if (volumeId === undefined)
    return (
      <p className={classes.everything}>
        <IconHome size={16} stroke={1.5} aria-hidden />
        All storages
      </p>
    )
  const volume = volumes.data?.elements.find(({ id }) => id === volumeId)
  return (
    <Breadcrumb
      volumeId={volumeId}
      volume={volume ? volumeName(volume) : ''}
      path={path}
      home={links.comparison({ previousDate: requested })}
      linkTo={(path) => links.comparison({ volumeId, path, previousDate: requested })}
    />
  )
}
