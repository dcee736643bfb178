import { Checkbox } from '@mantine/core'
import { Link } from 'wouter'
import type { StorageSize } from '#events/dashboard.ts'
import { useLinks } from '../app/links.ts'
import { Chip } from '../ui/Chip.tsx'
import { Count } from '../ui/Count.tsx'
import { Meter } from '../ui/Meter.tsx'
import { Size } from '../ui/Size.tsx'
import { UsagePercent } from '../ui/UsagePercent.tsx'
import { usedShare, volumeName } from '../parts/storages/volumeWords.ts'
import classes from './StorageSizesCard.module.css'

type StorageRowProps = { storage: StorageSize; isChosen: boolean; onChoose: (isChosen: boolean) => void }

/** One storage: its meter, and what its snapshot counted. */
export function StorageRow({ storage, isChosen, onChoose }: StorageRowProps) {
  const links = useLinks()
  const { volumeId, path, sizeOfFiles, numberOfFiles, isPartial } = storage
  const name = volumeName(storage)
  const share = usedShare(storage)
  return (
    <li className={classes.storage} data-chosen={isChosen}>
      <Checkbox
        className={classes.choice}
        aria-label={name}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div className={classes.name} title={path}>
        <Link href={links.fileManagement({ path: '/', volumeId })}>{name}</Link>
        {isPartial && <Chip tone="warn">Partial</Chip>}
      </div>
      <div className={classes.used}>
        {share === undefined ? (
          <span className={classes.unknown}>Capacity unknown</span>
        ) : (
          <>
            <UsagePercent share={share} />
            <span className={classes.of}>
              <Size bytes={storage.used ?? 0} /> of <Size bytes={storage.total ?? 0} />
            </span>
          </>
        )}
      </div>
      <div className={classes.files} data-live>
        <Size bytes={sizeOfFiles} />
        <Count of={numberOfFiles} one="file" />
      </div>
      <div className={classes.meter}>{share !== undefined && <Meter share={share} label={`${name}: used`} />}</div>
    </li>
  )
}
