import type { WallToken } from '#events/wall.ts'
import type { Column } from '../../ui/column.ts'
import { Moment } from '../../ui/Moment.tsx'
import { RemoveAction } from '../../ui/RowActions.tsx'
import { counted } from '../../ui/text/count.ts'

export const wallColumns = (end: (wall: WallToken) => void): Column<WallToken>[] => [
  { key: 'name', title: 'Name', sortable: true, grows: true, cell: ({ name }) => name },
  {
    key: 'createdAt',
    title: 'Made',
    sortable: true,
    wideOnly: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <Moment at={createdAt} /> by {createdBy}
      </>
    ),
  },
  {
    key: 'seen',
    title: 'Last seen',
    cell: ({ displays, lastSeenAt }) =>
      lastSeenAt ? (
        <>
          <Moment at={lastSeenAt} />
          {displays > 1 && `, ${counted(displays, 'display')}`}
        </>
      ) : (
        'Not opened yet'
      ),
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (wall) => <RemoveAction label={`End ${wall.name}`} onClick={() => end(wall)} />,
  },
]
