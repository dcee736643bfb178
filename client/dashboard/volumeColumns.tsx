import { Link } from 'wouter'
import type { StorageSize, StorageTrend } from '#events/dashboard.ts'
import { useLinks } from '../app/links.ts'
import { CostCell, type Price } from '../parts/cost/CostCell.tsx'
import type { Column } from '../ui/column.ts'
import { Count } from '../ui/Count.tsx'
import { Size } from '../ui/Size.tsx'
import { storageKind } from '../parts/storages/storageKind.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import { TrendLine } from './TrendLine.tsx'
import classes from './VolumesCard.module.css'

type VolumeRow = StorageSize & {
  points: StorageTrend['points']
  price: Price
}

/** The columns of the volumes overview. */
export const volumeColumns: Column<VolumeRow>[] = [
  { key: 'name', title: 'Name', grows: true, cell: (volume) => <Name volume={volume} /> },
  { key: 'kind', title: 'Kind', wideOnly: true, cell: ({ type }) => storageKind(type) },
  {
    key: 'path',
    title: 'Path',
    wideOnly: true,
    cell: ({ path }) => (
      <span className={classes.path} title={path}>
        {path}
      </span>
    ),
  },
  {
    key: 'files',
    title: 'Files',
    align: 'right',
    wideOnly: true,
    cell: ({ numberOfFiles }) => <Count of={numberOfFiles} />,
  },
  { key: 'size', title: 'Size of files', align: 'right', cell: ({ sizeOfFiles }) => <Size bytes={sizeOfFiles} /> },
  { key: 'used', title: 'Used', align: 'right', wideOnly: true, cell: ({ used }) => <Size bytes={used ?? -1} /> },
  {
    key: 'cost',
    title: 'Monthly cost',
    align: 'right',
    wideOnly: true,
    cell: ({ sizeOfFiles, price }) => <CostCell bytes={sizeOfFiles} price={price} />,
  },
  {
    key: 'trend',
    title: 'Used over 90 days',
    cell: (volume) => <Trend volume={volume} />,
  },
]

function Trend({ volume }: { volume: VolumeRow }) {
  const links = useLinks()
  return (
    <Link className={classes.leads} href={links.volume(volume.volumeId)} title="See analytics of storage">
      <TrendLine name={volumeName(volume)} points={volume.points} />
    </Link>
  )
}

function Name({ volume }: { volume: VolumeRow }) {
  const links = useLinks()
  return (
    <Link className={classes.name} href={links.fileManagement({ path: '/', volumeId: volume.volumeId })}>
      {volumeName(volume)}
    </Link>
  )
}
