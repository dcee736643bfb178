import { Button } from '@mantine/core'
import type { Session } from '#events/sessions.ts'
import { Chip } from '../../ui/Chip.tsx'
import type { Column } from '../../ui/column.ts'
import { Moment } from '../../ui/Moment.tsx'
import { browserText } from './browserText.ts'

type SessionColumns = { signOut: (session: Session) => void; withUsers?: boolean }

export const sessionColumns = ({ signOut, withUsers = false }: SessionColumns): Column<Session>[] => [
  ...(withUsers
    ? [{ key: 'userName', title: 'User', sortable: true, grows: true, cell: ({ userName }: Session) => userName }]
    : []),
  {
    key: 'browser',
    title: 'Browser',
    cell: ({ userAgent, isOwn }) => (
      <>
        <span title={userAgent ?? undefined}>{browserText(userAgent)}</span>{' '}
        {isOwn && <Chip tone="good">This one</Chip>}
      </>
    ),
  },
  { key: 'address', title: 'Address', wideOnly: true, cell: ({ address }) => address },
  {
    key: 'createdAt',
    title: 'Signed in',
    sortable: withUsers,
    wideOnly: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: 'lastSeenAt',
    title: 'Last seen',
    sortable: withUsers,
    wideOnly: withUsers,
    cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />,
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (session) =>
      !session.isOwn && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Sign out ${browserText(session.userAgent)} of ${session.userName}`}
          onClick={() => signOut(session)}
        >
          Sign out
        </Button>
      ),
  },
]
