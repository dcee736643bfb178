import { type Capacity, type LimitedPart, reservedBytes, usableBytes } from '#events/capacity.ts'
import { useSnapshot } from 'valtio'
import { refusalFor } from '#client/app/session.state.ts'
import { exactSize, sizeWords } from '#client/ui/text/size.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'

/** Words in place of the capacity of a storage that doesn't report it, or that the user sees only in part. */
export const noCapacityText = ({ limited }: LimitedPart): string => (limited ? refusalFor() : 'Capacity unknown')

type DiskSpaceProps = { disk: Capacity & LimitedPart; isShort?: boolean }

/** Used and available space of a disk, with total and reserved space as tooltip. `isShort` leaves out the used space. */
export function DiskSpace({ disk, isShort = false }: DiskSpaceProps) {
  const { base } = useSnapshot(sizeSetting)
  const usable = usableBytes(disk)
  if (usable === undefined) return noCapacityText(disk)
  const [used, total, reserved] = [disk.used ?? 0, disk.total ?? 0, reservedBytes(disk) ?? 0]
  const kept = reserved > 0 ? `, ${sizeWords(reserved, base)} reserved for the system` : ''
  return (
    <span title={`${sizeWords(total, base)} total (${exactSize(total)})${kept}`}>
      {!isShort && (
        <>
          <Size bytes={used} /> used,{' '}
        </>
      )}
      <Size bytes={usable - used} /> available
    </span>
  )
}
