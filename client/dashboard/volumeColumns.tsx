import { Link } from 'wouter'
import type { StorageSize, StorageTrend } from '#events/dashboard.ts'
import { useLinks } from '#client/app/links.ts'
import { CostCell, type Price } from '#client/parts/cost/CostCell.tsx'
import { groupLabel, volumeName } from '#client/parts/storages/volumeWords.ts'
import type { Column } from '#client/ui/table/column.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { TrendLine } from './TrendLine.tsx'
import classes from './VolumesCard.module.css'

type VolumeRow = StorageSize & {
  sameDiskAs: StorageSize | undefined
  points: StorageTrend['points']
  price: Price
}

export const volumeColumns: Column<VolumeRow>[] = [
  { key: 'name', title: 'Name', grows: true, cell: (volume) => <Name volume={volume} /> },
  { key: 'kind', title: 'Kind', wideOnly: true, cell: ({ type }) => groupLabel(type) },
  {
    key: 'path',
    title: 'Path',
    wideOnly: true,
    cell: ({ fullPath }) => (
      <span className={classes.path} title={fullPath}>
        {fullPath}
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
  {
    key: 'used',
    title: 'Used',
    align: 'right',
    wideOnly: true,
    cell: ({ used, sameDiskAs }) =>
      sameDiskAs ? (
        <span title={`Same disk as ${volumeName(sameDiskAs)}`}>Same disk</span>
      ) : (
        <Size bytes={used ?? -1} />
      ),
  },
  {
    key: 'cost',
    title: 'Monthly cost',
    align: 'right',
    wideOnly: true,
    cell: ({ sizeOfFiles, billedSize = sizeOfFiles, price }) => <CostCell bytes={billedSize} price={price} />,
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
