import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { Page } from '#client/ui/Page.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { DisplaySettings } from './DisplaySettings.tsx'
import { Information } from './Information.tsx'
import { NotificationsCard } from './NotificationsCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import classes from './Profile.module.css'

/** User, display options, notifications and sessions, with a link to alerts. */
export function ProfilePage() {
  return (
    <Page title="Profile">
      <div className={classes.sections}>
        <Information />
        <DisplaySettings />
        <AlertsLink />
        <NotificationsCard />
        <SessionsCard />
      </div>
    </Page>
  )
}

/** Alerts have a page of their own. */
function AlertsLink() {
  const links = useLinks()
  return (
    <Panel title="Alert configurations">
      <div className={classes.alerts}>
        <p>Get an email when a storage or project fills up or a report check fails.</p>
        <Button component={Link} href={links.alerts()} variant="default">
          Open alerts
        </Button>
      </div>
    </Panel>
  )
}
