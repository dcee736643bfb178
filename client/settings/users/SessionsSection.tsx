import { type Session, sessions } from '#events/users/sessions.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { browserText } from '#client/parts/sessions/browserText.ts'
import { SessionsIntro, SignOutButton, sessionColumns, sessionsPaging } from '#client/parts/sessions/sessionColumns.tsx'
import { rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'

/** Sessions of all users. */
export const SessionsSection = () => (
  <SettingsSection title="Sessions" folds="open" table={sessionsTable} intro={<SessionsIntro />} />
)

const sessionsTable: SettingsTable<Session> = {
  label: 'Sessions',
  rows: rowsOf(sessions.list, 'sessions'),
  sort: { field: 'lastSeenAt', direction: 'desc' },
  paging: sessionsPaging,
  columns: sessionColumns({ ofEveryone: true }),
  actions: (session, { onDone }) => <SignOut session={session} onDone={onDone} />,
}

function SignOut({ session, onDone }: { session: Session; onDone: () => void }) {
  const { id, userAgent, userName } = session
  const [, signOut] = useBusy(async () => {
    await call(sessions.end, { params: { id } })
    onDone()
    toast({ kind: 'success', message: `${browserText(userAgent)} of ${userName} was signed out` })
  })
  return <SignOutButton session={session} onClick={() => signOut()} />
}
