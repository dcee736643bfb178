import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { session } from '#client/app/session.state.ts'
import { Alerts } from '#client/parts/alerts/Alerts.tsx'
import { Page } from '#client/ui/Page.tsx'

/** Alerts of the user: their state, recipients and last messages. */
export function AlertsPage() {
  return (
    <Page title="Alerts">
      <div className="stack gap-16">
        <NoAddress />
        <Alerts />
      </div>
    </Page>
  )
}

function NoAddress() {
  const { user } = useSnapshot(session)
  const links = useLinks()
  if (!user || user.email !== null) return null
  return (
    <p className="muted">
      No email address, so alerts can't be emailed to you. <Link href={links.profile()}>Add one in your profile</Link>.
    </p>
  )
}
