import type { Difference, DifferenceSort } from '#events/comparison.ts'
import { inSameStorage } from '#events/sources/fullPath.ts'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { parentOf } from '#client/ui/text/path.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'
import { Change } from './Change.tsx'
import { kindWords } from './kindWords.ts'
import classes from './Differences.module.css'

type DifferenceColumn = Column<Difference> & ({ key: DifferenceSort; sortable: true } | { key: 'volumeName' })

const name: DifferenceColumn = {
  key: 'name',
  title: 'Name',
  sortable: true,
  wraps: true,
  text: ({ name }) => name,
  maxWidth: '34cqw',
  cell: ({ name }) => <EntryName name={name} />,
}
const storage: DifferenceColumn = {
  key: 'volumeName',
  title: 'Storage',
  text: ({ volumeName }) => volumeName,
  room: 'small',
  cell: ({ volumeName }) => <span title={volumeName}>{volumeName}</span>,
}
/** Takes the room that the other columns leave. */
const path: DifferenceColumn = {
  key: 'path',
  title: 'Folder',
  sortable: true,
  room: 'small',
  cell: (difference) => <FolderOrMove {...difference} />,
}
/** As wide as the icon of a kind. */
const iconRoom = '____'
const kind: DifferenceColumn = {
  key: 'kind',
  title: 'Kind',
  sortable: true,
  text: ({ kind }) => `${kindWords[kind].word}${iconRoom}`,
  cell: ({ kind }) => {
    const { word, icon, tone } = kindWords[kind]
    return (
      <StatusBadge icon={icon} tone={tone}>
        {word}
      </StatusBadge>
    )
  },
}
const figure = { align: 'right', sortable: true } as const
const sizes: DifferenceColumn[] = [
  {
    key: 'previousSize',
    title: 'Before',
    hint: 'Size in the earlier snapshot',
    ...figure,
    width: '5.5rem',
    room: 'small',
    cell: ({ previousSize }) => previousSize !== null && <Size bytes={previousSize} />,
  },
  {
    key: 'size',
    title: 'Now',
    hint: 'Size in the later snapshot',
    ...figure,
    width: '5.5rem',
    room: 'small',
    cell: ({ size, kind }) => !isGone(kind) && <Size bytes={size} />,
  },
  {
    key: 'delta',
    title: 'Growth',
    hint: 'Its share of the change',
    ...figure,
    width: '7rem',
    cell: ({ delta }) => <Change bytes={delta} />,
  },
]

/**
 * Columns of the differences, with the storage if everything is compared. Narrow screens show only name, kind and
 * growth.
 */
export const differenceColumns = (isEverything: boolean): DifferenceColumn[] => [
  name,
  ...(isEverything ? [storage] : []),
  path,
  kind,
  ...sizes,
]

const isGone = (kind: Difference['kind']) => kind === 'REMOVED' || kind === 'NO_LONGER_INDEXED'

/** The folder of an entry; of a moved or renamed one, both of its paths. */
function FolderOrMove(entry: Difference) {
  if (entry.previousPath === '') return <EntryPath path={parentOf(entry.fullPath)} />
  return (
    <span className={classes.way}>
      <span className="muted">
        <EntryPath path={inSameStorage(entry, entry.previousPath)} />
      </span>
      <span className={`muted ${classes.arrow}`}>→</span>
      <span>
        <EntryPath path={entry.fullPath} />
      </span>
    </span>
  )
}
