import type { ReactNode } from 'react'
import { reservedBytes, usedShare } from '#events/capacity.ts'
import type { Volume } from '#events/snapshots.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { Cost } from '#client/parts/cost/Cost.tsx'
import { CopyPath } from '#client/parts/entry-text/EntryPath.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { Sizes } from '#client/parts/storages/Sizes.tsx'
import { volumeSizes } from '#client/parts/storages/bothSizes.ts'
import { volumeKind, volumeName } from '#client/parts/storages/volumeWords.ts'
import classes from './Details.module.css'

/** Totals of a volume in a snapshot. */
export function VolumeFacts({ volume }: { volume: Volume }) {
  const share = usedShare(volume)
  return (
    <>
      {share !== undefined && (
        <div className="stack muted gap-4">
          <Meter share={share} label={`${volumeName(volume)}: used`} />
          <span>
            <UsagePercent share={share} /> used
          </span>
        </div>
      )}
      <dl className={classes.facts}>
        {factsOf(volume).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="break">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const bytes = (of: number | null): ReactNode => (of === null ? 'Unknown' : <Size bytes={of} />)

const factsOf = (volume: Volume): (readonly [label: string, value: ReactNode])[] => [
  ['Kind', volumeKind(volume)],
  [
    'Path',
    <span key="path" className={classes.path}>
      <bdi>{volume.fullPath}</bdi>
      <CopyPath path={volume.fullPath} />
    </span>,
  ],
  ...(volume.limited
    ? ([['Capacity', refusalFor()]] as const)
    : ([
        ['Total', bytes(volume.total)],
        ['Used', bytes(volume.used)],
        ['Available', bytes(volume.free)],
        ['Reserved', bytes(reservedBytes(volume) ?? null)],
      ] as const)),
  ['Size of files', <Sizes key="size" {...volumeSizes(volume)} />],
  ['Cost', <Cost key="cost" bytes={volume.billedSize ?? volume.sizeOfFiles} price={volume.storagePrice} />],
  ['Number of Files', <Count key="files" of={volume.numberOfFiles} />],
  ['Number of Folders', <Count key="folders" of={volume.numberOfFolders} />],
  ['Snapshot', volume.indexingDate],
]
