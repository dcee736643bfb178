import { Checkbox } from '@mantine/core'
import { Link } from 'wouter'
import { usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { useLinks } from '#client/app/links.ts'
import { DiskSpace } from '#client/parts/storages/DiskSpace.tsx'
import { ForecastNote } from '#client/parts/storages/ForecastNote.tsx'
import { StorageMarks } from '#client/parts/storages/StorageMarks.tsx'
import { diskName, volumeName } from '#client/parts/storages/volumeWords.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import classes from './StorageSizesCard.module.css'

type StorageRowProps = {
  storage: StorageSize
  /** One of several storages on a disk, whose meter is shown above. */
  isPart?: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** A storage with its usage and the totals of its snapshot. */
export function StorageRow({ storage, isPart = false, isChosen, onChoose }: StorageRowProps) {
  const links = useLinks()
  const { volumeId, fullPath, sizeOfFiles, numberOfFiles, isPartial } = storage
  const name = volumeName(storage)
  return (
    <li className={classes.storage} data-chosen={isChosen} data-part={isPart || undefined}>
      <Checkbox
        className={classes.choice}
        aria-label={name}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div className={classes.name} title={fullPath}>
        <Link
          className="truncate plain-link strong radius-2 hover-line"
          href={links.fileManagement({ path: '/', volumeId })}
        >
          {name}
        </Link>
        {isPartial && <Chip tone="warn">Partial</Chip>}
        <StorageMarks volumeId={volumeId} />
      </div>
      {!isPart && <DiskMeter disk={storage} name={name} />}
      <div className={classes.files} data-live>
        <Size bytes={sizeOfFiles} />
        <Count of={numberOfFiles} one="file" />
      </div>
    </li>
  )
}

/** A disk shared by several storages, which are listed below it. */
export function DiskRow({ storages }: { storages: StorageSize[] }) {
  const [disk] = storages
  const name = diskName(storages)
  return (
    <li className={classes.storage}>
      <div className={classes.name}>{name}</div>
      {disk && <DiskMeter disk={disk} name={name} />}
    </li>
  )
}

/** Usage of a disk as text and bar. */
function DiskMeter({ disk, name }: { disk: StorageSize; name: string }) {
  const share = usedShare(disk)
  return (
    <>
      <div className={classes.used}>
        {share === undefined ? (
          <span className="muted small">Capacity unknown</span>
        ) : (
          <>
            <UsagePercent share={share} />
            <span className={`muted small ${classes.of}`}>
              <DiskSpace disk={disk} />
            </span>
          </>
        )}
      </div>
      <div className={classes.meter}>
        {share !== undefined && <Meter share={share} label={`${name}: used`} />}
        {disk.forecast && <ForecastNote forecast={disk.forecast} />}
      </div>
    </>
  )
}
