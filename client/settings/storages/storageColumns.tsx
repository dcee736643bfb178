import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconDots, IconPencil } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import { type LimitedPart, usedShare } from '#events/capacity.ts'
import { hasFailed } from '#events/overview/storageStates.ts'
import type { StorageOverview } from '#events/overview/storageOverview.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import { type StorageField, useLinks } from '#client/app/links.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Cost } from '#client/parts/cost/Cost.tsx'
import { DiskSpace } from '#client/parts/storages/DiskSpace.tsx'
import { ForecastNote } from '#client/parts/storages/ForecastNote.tsx'
import { LiveBadge } from '#client/parts/storages/LiveBadge.tsx'
import { ScanNow } from '#client/parts/storages/ScanNow.tsx'
import { missingCare, scanProblem } from '#client/parts/storages/stateWords.ts'
import { TrendLine } from '#client/parts/storages/TrendLine.tsx'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import type { Column } from '#client/ui/table/column.ts'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { billedBytes, systemOf } from './storageOrder.ts'
import classes from './Storages.module.css'

/** `largest` is the size of the largest storage without a capacity, in bytes. */
export type StorageRow = StorageOverview & { sameDiskAs: StorageOverview | undefined; largest: number }

/** Handlers of the row actions. */
export type RowHandlers = {
  scan: (storage: StorageOverview) => void
  edit: (storage: StorageOverview, at?: StorageField) => void
  remove: (storage: StorageOverview) => void
}

/** Columns of the storages. Without handlers, nothing can be done, since an older snapshot is selected. */
export const storageColumns = (handlers: RowHandlers | undefined): Column<StorageRow>[] => [
  { key: 'name', title: 'Name', sortable: true, cell: (row) => <Name row={row} /> },
  { key: 'system', title: 'System', sortable: true, room: 'small', width: 'clamp(7.5rem, 11cqi, 11rem)', cell: System },
  { key: 'used', title: 'Used', sortable: true, width: 'clamp(6rem, 15cqi, 15rem)', cell: (row) => <Used row={row} /> },
  {
    key: 'forecast',
    title: 'Forecast',
    sortable: true,
    width: 'clamp(8rem, 11cqi, 9.5rem)',
    cell: ({ snapshot, sameDiskAs }) =>
      snapshot?.forecast && !sameDiskAs ? (
        <ForecastNote forecast={snapshot.forecast} isShort />
      ) : (
        <NoForecast {...snapshot} />
      ),
  },
  {
    key: 'growth',
    title: 'Last 30 days',
    sortable: true,
    room: 'medium',
    width: '10.5rem',
    cell: (row) =>
      row.snapshot?.limited ? (
        <NoForecast limited />
      ) : (
        row.snapshot && <TrendLine name={volumeName(row)} points={row.snapshot.points} />
      ),
  },
  {
    key: 'lastScan',
    title: 'Last scan',
    sortable: true,
    room: 'small',
    width: 'clamp(10rem, 15cqi, 18rem)',
    cell: (row) => <LastScan row={row} />,
  },
  {
    key: 'cost',
    title: 'Monthly cost',
    sortable: true,
    align: 'right',
    room: 'medium',
    width: '7.5rem',
    cell: ({ snapshot }) => snapshot && <Cost bytes={billedBytes(snapshot)} price={snapshot.storagePrice} inColumn />,
  },
  {
    key: 'actions',
    title: 'Action',
    align: 'right',
    room: 'small',
    width: '9.5rem',
    cell: (row) => handlers && <Actions row={row} handlers={handlers} />,
  },
]

const NoForecast = ({ limited }: LimitedPart) => (
  <span className="faint" title={limited ? refusalFor() : 'No forecast yet. Needs 5 scans with steady growth.'}>
    -
  </span>
)

function Name({ row }: { row: StorageRow }) {
  const links = useLinks()
  const [problem, care] = [scanProblem(row), missingCare(row)]
  const isFailed = hasFailed(row)
  const Sign = isFailed ? IconAlertTriangle : IconClock
  return (
    <span className="row gap-8">
      {problem && (
        <Sign
          size={16}
          stroke={1.5}
          className={isFailed ? `critical ${classes.sign}` : `faint ${classes.sign}`}
          aria-label={problem}
        />
      )}
      <span className={classes.lines}>
        <span className="row shrink gap-8">
          <Link
            className={`ellipsis plain-link strong radius-2 hover-line ${classes.name}`}
            href={links.volume(row.volumeId)}
            tabIndex={-1}
          >
            {volumeName(row)}
          </Link>
          <LiveBadge volumeId={row.volumeId} asOf={row.snapshot?.asOf} />
        </span>
        {care && (
          <span className="muted small ellipsis" title="Add it under Settings › Schedules or under Alerts">
            {care}
          </span>
        )}
      </span>
    </span>
  )
}

const System = (row: StorageRow) => (
  <span className={classes.lines}>
    <span className="ellipsis">{systemOf(row)}</span>
    {row.account !== null && <span className="muted small ellipsis">{row.account}</span>}
  </span>
)

/** Fill level of the disk. Storages without a capacity have a bar that compares the sizes of their files. */
function Used({ row }: { row: StorageRow }) {
  const links = useLinks()
  const { snapshot, sameDiskAs, volumeId, largest } = row
  if (!snapshot) return <span className="muted">Not scanned yet</span>
  const share = usedShare(snapshot)
  return (
    <Link
      className={`undecorated ${classes.lines}`}
      href={links.fileManagement({ path: '/', volumeId })}
      title={`Show the files of ${volumeName(row)}`}
      tabIndex={-1}
    >
      {sameDiskAs ? (
        <span className="muted ellipsis">Same disk as {volumeName(sameDiskAs)}</span>
      ) : share === undefined ? (
        <>
          <Size bytes={snapshot.sizeOfFiles} />
          <span className={classes.size} style={{ '--share': snapshot.sizeOfFiles / largest } as CSSProperties} />
        </>
      ) : (
        <>
          <span className="row between gap-8">
            <UsagePercent share={share} />
            <span className={`muted small ellipsis ${classes.space}`}>
              <DiskSpace disk={snapshot} isShort />
            </span>
          </span>
          <Meter share={share} label={`Used capacity of ${volumeName(row)}`} />
        </>
      )}
    </Link>
  )
}

/** End of the last scan. After a failure, the reason, and the day of the data that is shown. */
function LastScan({ row }: { row: StorageRow }) {
  const { lastScan, isScanning, snapshot } = row
  const problem = scanProblem(row)
  if (isScanning) return <span className="muted">{problem ?? 'Scanning'}</span>
  if (!problem && lastScan?.finishedAt) return <Moment at={lastScan.finishedAt} />
  return (
    <span className={classes.lines} title={problem}>
      <span className={hasFailed(row) ? 'critical ellipsis' : 'muted ellipsis'}>{problem ?? '-'}</span>
      {snapshot && problem && <span className="muted small ellipsis">As of {snapshot.indexingDate}</span>}
    </span>
  )
}

/** Fields that each kind of storage has in addition to its connection. */
const fieldsOf: Record<string, readonly StorageField[]> = {
  bucket: ['priceBook'],
  archiware: ['agent', 'priceBook'],
}
const allFields: Record<StorageField, string> = { ignored: 'Ignored paths', agent: 'Agent', priceBook: 'Price book' }

function Actions({ row, handlers }: { row: StorageRow; handlers: RowHandlers }) {
  const isLicensed = useLicence()
  const source = sourceOfType(row.type)
  if (!source || !isLicensed(source.bundle)) return null
  const name = volumeName(row)
  const fields = fieldsOf[source.kind] ?? (Object.keys(allFields) as StorageField[])
  return (
    <span className="inline gap-4">
      {hasFailed(row) ? (
        <ScanNow state={row} tabIndex={-1} />
      ) : (
        <RoleGuard needs="scans.start">
          <Button
            variant="default"
            size="compact-sm"
            tabIndex={-1}
            aria-label={`Scan ${name}`}
            onClick={() => handlers.scan(row)}
          >
            Scan
          </Button>
        </RoleGuard>
      )}
      <RoleGuard needs="settings.edit">
        <ActionIcon aria-label={`Edit ${name}`} title="Edit" tabIndex={-1} onClick={() => handlers.edit(row)}>
          <IconPencil size={16} stroke={1.5} />
        </ActionIcon>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={`More actions for ${name}`} title="More" tabIndex={-1}>
              <IconDots size={16} stroke={1.5} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {fields.map((field) => (
              <Menu.Item key={field} onClick={() => handlers.edit(row, field)}>
                {allFields[field]}
              </Menu.Item>
            ))}
            <Menu.Item color="red" onClick={() => handlers.remove(row)}>
              Delete storage
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </RoleGuard>
    </span>
  )
}
