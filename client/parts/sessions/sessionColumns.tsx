import { Button } from '@mantine/core'
import { type Session, sessionLimits } from '#events/users/sessions.ts'
import type { RememberedKey } from '#client/ui/remembered.ts'
import type { Column } from '#client/ui/table/column.ts'
import { counted } from '#client/ui/text/count.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { browserText } from './browserText.ts'

const { browserHours, scriptHours, providerHours, days } = sessionLimits

/** Explains when sessions end. */
export const SessionsIntro = () => (
  <TableIntro>
    A browser is signed out after {browserHours} hours without use, a script after {counted(scriptHours, 'hour')}, and
    both after {days} days. A single sign-on that issues no refresh token is asked again after{' '}
    {counted(providerHours, 'hour')}.
  </TableIntro>
)

/** Pages of sessions; they share the page size. */
export const sessionsPaging = { words: ['session', 'sessions'], key: 'numberOfElementsSessions' } satisfies {
  words: [string, string]
  key: RememberedKey
}

/** The list of everyone's sessions has a user column and can be sorted. */
export const sessionColumns = ({ ofEveryone }: { ofEveryone: boolean }): Column<Session>[] => [
  ...(ofEveryone
    ? [{ key: 'userName', title: 'User', sortable: true, grows: true, cell: ({ userName }: Session) => userName }]
    : []),
  {
    key: 'browser',
    title: 'Browser or script',
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
    sortable: ofEveryone,
    wideOnly: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: 'lastSeenAt',
    title: 'Last seen',
    sortable: ofEveryone,
    wideOnly: ofEveryone,
    cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />,
  },
]

/** Ends a session. The current session has no button. */
export const SignOutButton = ({ session, onClick }: { session: Session; onClick: () => void }) =>
  !session.isOwn && (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Sign out ${browserText(session.userAgent)} of ${session.userName}`}
      onClick={onClick}
    >
      Sign out
    </Button>
  )
