import { loginInfo } from '#events/users/session.ts'
import { type Session, sessions } from '#events/users/sessions.ts'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { call } from '#client/app/call.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { browserText } from '#client/parts/sessions/browserText.ts'
import { SessionsIntro, SignOutButton, sessionColumns, sessionsPaging } from '#client/parts/sessions/sessionColumns.tsx'
import { rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'

/** Sessions of all users. */
export const SessionsSection = () => (
  <SettingsSection
    title="Sessions"
    folds="open"
    table={sessionsTable}
    intro={
      <>
        <SessionsIntro />
        <ProviderSignOut />
      </>
    }
  />
)

/** The address to enter at the single sign-on, if there is one. */
function ProviderSignOut() {
  const { data } = useRemote(loginInfo, {})
  if (!data?.singleSignOn) return null
  return (
    <>
      <TableIntro>
        Users who sign out at the single sign-on, or are disabled there, are signed out here too if it knows this
        back-channel logout URL:
      </TableIntro>
      <CopyableText label="Back-channel logout URL" text={location.origin + withBase(backChannelLogout)} />
    </>
  )
}

const { backChannelLogout } = singleSignOnPaths

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
