import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { signOf, directionOf } from '#client/ui/text/change.ts'
import type { TreeEntry } from './treeModel.ts'
import classes from './SizeChange.module.css'

/** Change in size with a bar. Says so if the entry was not compared. */
export function SizeChange({ entry, bar }: { entry: TreeEntry; bar: ReactNode }) {
  const { delta, isCreated, isRemoved } = entry
  if (delta === undefined)
    return (
      <span className="faint" title="Not compared: no earlier snapshot">
        -
      </span>
    )
  const way = directionOf(delta ?? 0)
  return (
    <span className="row gap-8" data-way={way}>
      {bar}
      {isCreated && <Chip tone="good">New</Chip>}
      {isRemoved && <Chip tone="critical">Removed</Chip>}
      <span className={`inline push ${classes.size}`}>
        {way === 'grown' && <IconArrowUp size={14} stroke={1.5} aria-hidden />}
        {way === 'shrunk' && <IconArrowDown size={14} stroke={1.5} aria-hidden />}
        {signOf(delta ?? 0)}
        {delta === null ? '-' : <Size bytes={Math.abs(delta)} />}
      </span>
    </span>
  )
}
