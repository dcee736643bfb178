import { Button } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconDatabase } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { usedShare, withSameDisk } from '#events/capacity.ts'
import type { Dashboard } from '#events/dashboard.ts'
import { hasFailed, type StorageState } from '#events/overview/storageStates.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useFollowedStorages } from '#client/app/shell/useFollowedStorages.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { DiskSpace } from '#client/parts/storages/DiskSpace.tsx'
import { ForecastNote } from '#client/parts/storages/ForecastNote.tsx'
import { ScanNow } from '#client/parts/storages/ScanNow.tsx'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { countText, counted } from '#client/ui/text/count.ts'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { byNeed, needsAttention, rowsOf, type StorageRow } from './storages.ts'
import classes from './StoragesCard.module.css'

// Loaded after the first page.
const LiveBadge = lazy(() => import('#client/parts/storages/LiveBadge.tsx').then((m) => ({ default: m.LiveBadge })))

const shownRows = 5

/** The storages that need attention first: without a current scan, or nearly full. */
export function StoragesCard({ dashboard }: { dashboard: Loadable<Dashboard> }) {
  const links = useLinks()
  const states = useStorageStates()
  useFailureToast(states.error, { group: 'dashboard' })
  const rows = rowsOf(dashboard.data?.storages ?? [], states.data ?? []).toSorted(byNeed)
  const inNeed = rows.filter(needsAttention).length
  return (
    <Card
      title="Storages"
      note={inNeed > 0 && `${countText(inNeed)} of ${countText(rows.length)} need attention`}
      actions={
        <Button component={Link} href={links.storages()} variant="default" size="compact-sm">
          {rows.length > shownRows ? `All ${counted(rows.length, 'storage')}` : 'All storages'}
        </Button>
      }
      remote={dashboard}
      skeleton={<Skeleton rows={shownRows} height={48} />}
    >
      {() =>
        rows.length === 0 ? (
          <Notice icon={IconDatabase}>Storages appear here after their first scan.</Notice>
        ) : (
          <ul className="inset-8">
            {withSameDisk(rows.slice(0, shownRows)).map((row) => (
              <Row key={row.volumeId} row={row} sameDiskAs={row.sameDiskAs} />
            ))}
          </ul>
        )
      }
    </Card>
  )
}

function Row({ row, sameDiskAs }: { row: StorageRow; sameDiskAs: StorageRow | undefined }) {
  const { size, state } = row
  const problem = state && scanProblem(state)
  const isFailed = state !== undefined && hasFailed(state)
  const Sign = isFailed ? IconAlertTriangle : problem ? IconClock : IconDatabase
  return (
    <li className={classes.storage} data-failed={isFailed || undefined}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <Name {...row} />
      <div className={classes.used}>
        {sameDiskAs ? (
          <span className="small">Same disk as {volumeName(sameDiskAs)}</span>
        ) : (
          size && <Usage size={size} name={volumeName(row)} />
        )}
      </div>
      <span className={`break small ${classes.problem}`}>
        {problem ?? (size?.forecast && !sameDiskAs && <ForecastNote forecast={size.forecast} />)}{' '}
        {isFailed && <FailedAt state={state} />}
      </span>
      <span className={classes.action}>{state && problem !== undefined && <ScanNow state={state} />}</span>
    </li>
  )
}

function Name({ volumeId, size, ...row }: StorageRow) {
  const links = useLinks()
  const isFollowed = useFollowedStorages().data?.some(({ id }) => id === volumeId)
  return (
    <span className="row shrink gap-8">
      <Link className="truncate plain-link strong radius-2 hover-line text" href={links.volume(volumeId)}>
        {volumeName(row)}
      </Link>
      {isFollowed && (
        <Suspense fallback={null}>
          <LiveBadge volumeId={volumeId} asOf={size?.asOf} />
        </Suspense>
      )}
    </span>
  )
}

function Usage({ size, name }: { size: NonNullable<StorageRow['size']>; name: string }) {
  const share = usedShare(size)
  if (share === undefined) return <Size bytes={size.sizeOfFiles} />
  return (
    <>
      <Meter share={share} label={`${name}: used`} />
      <span className="row between small gap-8">
        <UsagePercent share={share} />
        <span className={`nowrap ${classes.space}`}>
          <DiskSpace disk={size} isShort />
        </span>
      </span>
    </>
  )
}

/** Time of a failed scan, which leads to its job. */
function FailedAt({ state: { lastScan } }: { state: StorageState }) {
  const links = useLinks()
  if (!lastScan?.finishedAt) return null
  return (
    <RoleGuard needs="jobs.see" otherwise={<Moment at={lastScan.finishedAt} />}>
      <Link href={links.jobs(lastScan.jobId)}>
        <Moment at={lastScan.finishedAt} />
      </Link>
    </RoleGuard>
  )
}
