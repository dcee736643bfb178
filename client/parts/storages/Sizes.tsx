import { useSnapshot } from 'valtio'
import { exactSize } from '#client/ui/text/size.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { areDifferent, bothSizes, type FileSizes } from './bothSizes.ts'

/** The size of files; both on disk and apparent if they differ. */
export function Sizes(sizes: FileSizes) {
  const { base } = useSnapshot(sizeSetting)
  if (!areDifferent(sizes)) return <Size bytes={sizes.apparent} />
  return <span title={`${exactSize(sizes.onDisk)} on disk`}>{bothSizes(sizes, base)}</span>
}
