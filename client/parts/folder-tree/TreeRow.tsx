import { type CSSProperties, memo } from 'react'
import { Size } from '#client/ui/values/Size.tsx'
import { rowHeight } from './rowElements.ts'
import { NameCell } from './NameCell.tsx'
import type { TreeColumn } from './treeColumn.ts'
import type { TreeEntry } from './treeModel.ts'
import classes from './Tree.module.css'

type TreeRowProps = {
  id: string
  index: number
  entry: TreeEntry
  level: number
  setSize: number
  position: number
  isOpen: boolean
  /** Undefined if the tree has no selection. */
  isSelected: boolean | undefined
  isActive: boolean
  /** Shown in the panel next to the tree. */
  isShown: boolean
  /** Share of the parent folder, 0 to 1. */
  share: number
  column: TreeColumn | undefined
  /** Largest change in the same folder, in bytes. */
  max: number
  mayTag: boolean
}

/** A row for a file or folder. The tree handles its buttons; only those of the active row are tab stops. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { id, index, entry, level, isOpen, isSelected, isActive, column } = props
  return (
    <tr
      id={id}
      className={classes.row}
      data-index={index}
      data-shown={props.isShown || undefined}
      data-gone={entry.isRemoved || undefined}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-setsize={props.setSize}
      aria-posinset={props.position < 0 ? undefined : props.position}
      aria-selected={isSelected}
      aria-expanded={entry.isDirectory && !entry.isRemoved ? isOpen : undefined}
      style={{ top: index * rowHeight }}
    >
      <td className={classes.name} style={{ '--level': level } as CSSProperties}>
        <NameCell {...props} />
      </td>
      <td className={classes.size} style={{ '--share': props.share } as CSSProperties}>
        <Size bytes={entry.size} />
      </td>
      {column && <td className={classes.last}>{column.cell(entry, props.max, isActive ? 0 : -1)}</td>}
    </tr>
  )
})
