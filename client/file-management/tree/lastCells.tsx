import type { CSSProperties, ReactNode } from 'react'
import { SizeChange } from '#client/parts/folder-tree/SizeChange.tsx'
import type { TreeColumn } from '#client/parts/folder-tree/treeColumn.ts'
import type { TreeEntry } from '#client/parts/folder-tree/treeModel.ts'
import { TagList } from '#client/parts/tags/TagList.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { TreeCost } from './TreeCost.tsx'
import { columnWords, type LastColumn } from './lastColumns.ts'
import classes from './LastCells.module.css'

const count = (of: number | null) => of !== null && <Count of={of} />
const moment = (at: string | null) => <Moment at={at} />

const cells: Record<LastColumn, (entry: TreeEntry, stop: number) => ReactNode> = {
  numberOfFiles: ({ numberOfFiles }) => count(numberOfFiles),
  numberOfFolders: ({ numberOfFolders }) => count(numberOfFolders),
  owner: ({ owner }) => <span title={owner}>{owner}</span>,
  group: ({ group }) => <span title={group}>{group}</span>,
  creationDate: ({ creationDate }) => moment(creationDate),
  lastAccess: ({ lastAccess }) => moment(lastAccess),
  lastAccessFolder: ({ isDirectory, lastAccess, lastAccessFolder }) =>
    moment(isDirectory ? lastAccessFolder : lastAccess),
  lastModified: ({ lastModified }) => moment(lastModified),
  lastModifiedFolder: ({ isDirectory, lastModified, lastModifiedFolder }) =>
    moment(isDirectory ? lastModifiedFolder : lastModified),
  indexingDate: ({ indexingDate }) => indexingDate,
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
  cell: (entry, _most, stop) => cells[column](entry, stop),
})

/** Change as a share of the larger of the two sizes. */
function ShareOfLarger({ entry: { delta, size } }: { entry: TreeEntry }) {
  const change = Math.abs(delta ?? 0)
  const larger = Math.max(size, size - (delta ?? 0), change, 1)
  return <span className={classes.change} style={{ '--share': change / larger } as CSSProperties} aria-hidden />
}
