import type { CSSProperties, ReactNode } from 'react'
import { SizeChange } from '#client/parts/folder-tree/SizeChange.tsx'
import type { TreeColumn } from '#client/parts/folder-tree/treeColumn.ts'
import type { TreeEntry } from '#client/parts/folder-tree/treeModel.ts'
import { fieldCell, type ListedField } from '#client/parts/entry-text/entryColumn.tsx'
import { TagList } from '#client/parts/tags/TagList.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { TreeCost } from './TreeCost.tsx'
import { columnWords, type LastColumn } from './lastColumns.ts'
import classes from './LastCells.module.css'

const cells: Partial<Record<LastColumn, (entry: TreeEntry, stop: number) => ReactNode>> = {
  lastAccessFolder: ({ isDirectory, lastAccess, lastAccessFolder }) => (
    <Moment at={isDirectory ? lastAccessFolder : lastAccess} />
  ),
  lastModifiedFolder: ({ isDirectory, lastModified, lastModifiedFolder }) => (
    <Moment at={isDirectory ? lastModifiedFolder : lastModified} />
  ),
  monthlyCost: ({ size, billedSize = size }, stop) => <TreeCost bytes={billedSize} tabIndex={stop} />,
  tags: ({ customTag }) => customTag.length > 0 && <TagList tags={customTag} />,
  delta: (entry) => <SizeChange entry={entry} bar={<ShareOfLarger entry={entry} />} />,
}

/** The selectable column of the tree. */
export const treeColumn = (column: LastColumn): TreeColumn => ({
  ...columnWords[column],
  key: column,
  sortable: true,
  isOfChanges: column === 'delta',
  cell: (entry, _most, stop) => cells[column]?.(entry, stop) ?? fieldCell(column as ListedField, entry),
})

/** Change as a share of the larger of the two sizes. */
function ShareOfLarger({ entry: { delta, size } }: { entry: TreeEntry }) {
  const change = Math.abs(delta ?? 0)
  const larger = Math.max(size, size - (delta ?? 0), change, 1)
  return <span className={classes.change} style={{ '--share': change / larger } as CSSProperties} aria-hidden />
}
