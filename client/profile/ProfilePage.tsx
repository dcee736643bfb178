import { Alerts } from '#client/parts/alerts/Alerts.tsx'
import { JobNotifications } from '#client/parts/alerts/JobNotifications.tsx'
import { Page } from '#client/ui/Page.tsx'
import { DisplaySettings } from './DisplaySettings.tsx'
import { Information } from './Information.tsx'
import { SessionsCard } from './SessionsCard.tsx'

/** User, display options, alerts, notifications and sessions. */
export function ProfilePage() {
  return (
    <Page title="Profile">
      <div className="stack in-order gap-16">
        <Information />
        <DisplaySettings />
        <Alerts />
        <JobNotifications />
        <SessionsCard />
      </div>
    </Page>
  )
}
