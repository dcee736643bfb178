import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { Storage } from '#events/storages.ts'
import { useLinks } from '../../app/links.ts'
import type { Column } from '../../ui/column.ts'
import { Meter } from '../../ui/Meter.tsx'
import { Size } from '../../ui/Size.tsx'
import classes from './Storages.module.css'

const typeWords: Record<string, string> = {
  'crawl.files': 'File',
  NetworkVolume: 'File',
  DellPowerScale: 'File',
  S3: 'Amazon S3',
  AZURE: 'Azure Blob Storage',
  GOOGLE: 'Google Cloud Storage',
  OTHER: 'Custom S3',
  WASABI: 'Wasabi',
}

/** The columns of all storages; without `scan` none can be scanned, for a past date is looked at. */
export const storageColumns = (scan: ((storage: Storage) => void) | undefined): Column<Storage>[] => [
  { key: 'NAME', title: 'NAME', sortable: true, cell: (storage) => <Name {...storage} /> },
  { key: 'account', title: 'ACCOUNT', wideOnly: true, cell: ({ account }) => account ?? '-' },
  { key: 'TYPE', title: 'TYPE', sortable: true, wideOnly: true, cell: ({ type }) => typeWords[type] ?? type },
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
    cell: (storage) =>
      scan &&
      typeWords[storage.type] === 'File' && (
        <Button variant="default" size="compact-sm" aria-label={`Scan ${storage.name}`} onClick={() => scan(storage)}>
          Scan
        </Button>
      ),
  },
]

function Name({ id, name }: Storage) {
  const links = useLinks()
  return (
    <Link className={classes.name} href={links.volume(id)}>
      {name}
    </Link>
  )
}

/** How much of a storage is in use, beside how full that makes it. */
function Used({ name, stats: { capacityUsed, capacityTotal } }: Storage) {
  if (capacityUsed === null) return '-'
  return (
    <span className={classes.used}>
      <Size bytes={capacityUsed} />
      {capacityTotal !== null && capacityTotal > 0 && (
        <span className={classes.meter}>
          <Meter share={capacityUsed / capacityTotal} label={`Used capacity of ${name}`} />
        </span>
      )}
    </span>
  )
}

function Available({ stats: { capacityUsed, capacityTotal } }: Storage) {
  if (capacityUsed === null || capacityTotal === null) return '-'
  return (
    <>
      <Size bytes={Math.max(0, capacityTotal - capacityUsed)} /> of <Size bytes={capacityTotal} />
    </>
  )
}
