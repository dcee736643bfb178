import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { TagList } from '../../parts/tags/TagList.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Count } from '../../ui/Count.tsx'
import { Moment } from '../../ui/Moment.tsx'
import { Size } from '../../ui/Size.tsx'
import type { LastColumn } from './lastColumns.ts'
import type { TreeEntry } from './treeModel.ts'
import classes from './Tree.module.css'

const count = (of: number | null) => of !== null && <Count of={of} />
const moment = (at: string | null) => at && <Moment at={at} />

const cells: Record<LastColumn, (entry: TreeEntry) => ReactNode> = {
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
  tags: ({ customTag }) => customTag.length > 0 && <TagList tags={customTag} />,
  delta: (entry) => <Delta entry={entry} />,
}

/** What the last column says of an entry. */
export const cellOf = (column: LastColumn, entry: TreeEntry): ReactNode => cells[column](entry)

/** How an entry's size changed; the bar is the part of its larger size that came or went. */
function Delta({ entry }: { entry: TreeEntry }) {
  const { delta, size, isCreated, isRemoved } = entry
  if (delta === undefined) return null
  const larger = Math.max(size, size - (delta ?? 0), Math.abs(delta ?? 0), 1)
  const way = !delta ? 'same' : delta > 0 ? 'grown' : 'shrunk'
  return (
    <span className={classes.delta} data-way={way}>
      {isCreated && <Chip tone="good">New</Chip>}
      {isRemoved && <Chip tone="critical">Removed</Chip>}
      <span
        className={classes.change}
        style={{ '--share': Math.abs(delta ?? 0) / larger } as CSSProperties}
        aria-hidden
      />
      <span className={classes.changed}>
        {way === 'grown' && <IconArrowUp size={14} stroke={1.5} aria-hidden />}
        {way === 'shrunk' && <IconArrowDown size={14} stroke={1.5} aria-hidden />}
        {way === 'grown' ? '+' : way === 'shrunk' ? '−' : ''}
        {delta === null ? '-' : <Size bytes={Math.abs(delta)} />}
      </span>
    </span>
  )
}
