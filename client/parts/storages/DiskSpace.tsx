import { type Capacity, reservedBytes, usableBytes } from '#events/capacity.ts'
import { useSnapshot } from 'valtio'
import { exactSize, sizeWords } from '#client/ui/text/size.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'

/** Used and available space of a disk, with total and reserved space as tooltip. `isShort` leaves out the used space. */
export function DiskSpace({ disk, isShort = false }: { disk: Capacity; isShort?: boolean }) {
  const { base } = useSnapshot(sizeSetting)
  const usable = usableBytes(disk)
  if (usable === undefined) return 'Capacity unknown'
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
