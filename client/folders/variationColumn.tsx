import type { CSSProperties } from 'react'
import { SizeChange } from '../parts/folder-tree/SizeChange.tsx'
import type { TreeColumn } from '../parts/folder-tree/treeColumn.ts'
import classes from './Folders.module.css'

/** How each entry changed: a bar to the right as it grew, to the left as it shrank, beside what else lies in its folder. */
export const variationColumn: TreeColumn = {
  key: 'absoluteDelta',
  title: 'VARIATION',
  hint: 'By how much the size changed between the previous date and the active date, the largest changes first',
  sortable: false,
  isOfChanges: true,
  cell: (entry, most) => (
    <SizeChange entry={entry} bar={<Bar share={Math.abs(entry.delta ?? 0) / Math.max(1, most)} />} />
  ),
}

const Bar = ({ share }: { share: number }) => (
  <span className={classes.variation} style={{ '--share': share } as CSSProperties} aria-hidden />
)
