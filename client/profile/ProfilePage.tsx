import { Page } from '../ui/Page.tsx'
import { AlertsCard } from './AlertsCard.tsx'
import { DisplaySettings } from './DisplaySettings.tsx'
import { Information } from './Information.tsx'
import { NotificationsCard } from './NotificationsCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import classes from './Profile.module.css'

/** Who one is, how this browser shows things, and what one is told of. */
export function ProfilePage() {
  return (
    <Page title="Profile">
      <div className={classes.sections}>
        <Information />
        <DisplaySettings />
        <AlertsCard />
        <NotificationsCard />
        <SessionsCard />
      </div>
    </Page>
  )
}
