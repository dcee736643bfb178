import { configurations } from '#events/configurations.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import { ApiTokensSection } from '../api-tokens/ApiTokensSection.tsx'
import { SessionsSection } from '../users/SessionsSection.tsx'
import { UsersSection } from '../users/UsersSection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { GeneralConfigurations } from './GeneralConfigurations.tsx'
import { WallSection } from './WallSection.tsx'
import classes from '../SettingsPage.module.css'

/** What an administrator configures of the whole product. */
export function GeneralTab() {
  const remote = useRemote(configurations.list, {}, 'configurations')
  return (
    <div className={classes.sections}>
      <Card title="General Configurations" remote={remote} folds="open">
        {(entries) => <GeneralConfigurations entries={entries} updated={remote.retry} />}
      </Card>
      <Card title="Email" remote={remote} folds="open">
        {(entries) => <EmailSection entries={entries} updated={remote.retry} />}
      </Card>
      <WallSection />
      <UsersSection />
      <SessionsSection />
      <ApiTokensSection />
    </div>
  )
}
