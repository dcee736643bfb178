import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { usableBytes, usedShare } from '#events/capacity.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import type { Storage } from '#events/storages.ts'
import { useLinks } from '../../app/links.ts'
import { useLicence } from '../../app/shell/useLicence.ts'
import type { Column } from '#client/ui/table/column.ts'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './Storages.module.css'

const typeLabel = (type: string): string => sourceOfType(type)?.types[type] ?? type

type StorageRow = Storage & { sameDiskAs: Storage | undefined }

/** Columns of the storages; without `scan`, none can be scanned, since an older snapshot is selected. */
export const storageColumns = (scan: Scan | undefined): Column<StorageRow>[] => [
  { key: 'NAME', title: 'NAME', sortable: true, cell: (storage) => <Name {...storage} /> },
  { key: 'account', title: 'ACCOUNT', wideOnly: true, cell: ({ account }) => account ?? '-' },
  { key: 'TYPE', title: 'TYPE', sortable: true, wideOnly: true, cell: ({ type }) => typeLabel(type) },
  { key: 'CAPACITY_USED', title: 'USED', sortable: true, cell: (storage) => <Used {...storage} /> },
  {
    key: 'available',
    title: 'AVAILABLE',
    align: 'right',
    wideOnly: true,
    cell: (storage) => <Available {...storage} />,
  },
  {
    key: 'actions',
    title: 'ACTIONS',
    align: 'right',
    cell: (storage) => scan && <ScanButton storage={storage} scan={scan} />,
  },
]

type Scan = (storage: Storage) => void

function ScanButton({ storage, scan }: { storage: Storage; scan: Scan }) {
  const isLicensed = useLicence()
  const source = sourceOfType(storage.type)
  if (!source || !isLicensed(source.bundle)) return null
  return (
    <Button variant="default" size="compact-sm" aria-label={`Scan ${storage.name}`} onClick={() => scan(storage)}>
      Scan
    </Button>
  )
}

function Name({ id, name }: Storage) {
  const links = useLinks()
  return (
    <Link className={classes.name} href={links.volume(id)}>
      {name}
    </Link>
  )
}

/** Used capacity with its percentage. */
function Used({ name, stats, sameDiskAs }: StorageRow) {
  const { capacityUsed } = stats
  const share = usedShare(diskOf(stats))
  if (capacityUsed === null) return '-'
  if (sameDiskAs) return <span className="muted">Same disk as {sameDiskAs.name}</span>
  return (
    <span className={`row gap-12 ${classes.used}`}>
      <Size bytes={capacityUsed} />
      {share !== undefined && (
        <span className={classes.meter}>
          <Meter share={share} label={`Used capacity of ${name}`} />
        </span>
      )}
    </span>
  )
}

const diskOf = ({ capacityTotal: total, capacityUsed: used, capacityFree: free }: Storage['stats']) => ({
  total,
  used,
  free,
})

function Available({ stats, sameDiskAs }: StorageRow) {
  if (sameDiskAs) return null
  const usable = usableBytes(diskOf(stats))
  if (usable === undefined) return '-'
  return (
    <>
      <Size bytes={usable - (stats.capacityUsed ?? 0)} /> of <Size bytes={stats.capacityTotal ?? 0} />
    </>
  )
}
