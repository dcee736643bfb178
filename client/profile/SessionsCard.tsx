import { Button } from '@mantine/core'
import { type Session, ownSessions } from '#events/users/sessions.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { browserText } from '#client/parts/sessions/browserText.ts'
import { SessionsIntro, SignOutButton, sessionColumns, sessionsPaging } from '#client/parts/sessions/sessionColumns.tsx'
import { rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { counted } from '#client/ui/text/count.ts'

/** The user's sessions, with sign out. */
export const SessionsCard = () => (
  <SettingsSection title="Sessions" table={ownSessionsTable} intro={<SessionsIntro />} />
)

const ownSessionsTable: SettingsTable<Session> = {
  label: 'Sessions',
  rows: rowsOf(ownSessions.list, 'sessions'),
  paging: sessionsPaging,
  columns: sessionColumns({ ofEveryone: false }),
  actions: (session, { onDone }) => <SignOut session={session} onDone={onDone} />,
  footer: (rows, onDone) => rows.length > 1 && <SignOutOthers onDone={onDone} />,
}

function SignOut({ session, onDone }: { session: Session; onDone: () => void }) {
  const { id, userAgent } = session
  const [, signOut] = useBusy(async () => {
    await call(ownSessions.end, { params: { id } })
    onDone()
    toast({ kind: 'success', message: `${browserText(userAgent)} was signed out` })
  })
  return <SignOutButton session={session} onClick={() => signOut()} />
}

function SignOutOthers({ onDone }: { onDone: () => void }) {
  const [busy, signOut] = useBusy(async () => {
    const { ended } = await call(ownSessions.endOthers, {})
    onDone()
    toast({ kind: 'success', message: `${counted(ended, 'browser')} signed out` })
  })
  return (
    <Button variant="default" loading={busy} onClick={() => signOut()}>
      Sign out all others
    </Button>
  )
}
