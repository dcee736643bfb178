import { application } from '#events/administration.ts'
import { configurations } from '#events/configurations.ts'
import { useRemote } from '../../app/remote.ts'
import { type Section, SectionList } from '#client/settings/SectionList.tsx'
import { Card } from '../../ui/Card.tsx'
import { ApiTokensSection } from '../api-tokens/ApiTokensSection.tsx'
import { SessionsSection } from '../users/SessionsSection.tsx'
import { UsersSection } from '../users/UsersSection.tsx'
import { WallDisplaysSection } from '../wall-displays/WallDisplaysSection.tsx'
import { ApplicationSection } from './ApplicationSection.tsx'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { advancedRows, generalRows, retentionRows, scanRows } from './configurationRows.ts'
import { EmailSection } from './EmailSection.tsx'
import { SnapshotsSection } from './SnapshotsSection.tsx'
import { StateSection } from './StateSection.tsx'

const rowsOf = {
  'General Configurations': generalRows,
  'Data Retention': retentionRows,
  Scan: scanRows,
  Advanced: advancedRows,
}

/** State and configuration of the product. */
export function GeneralTab() {
  const remote = useRemote(configurations.list, {}, 'configurations')
  const about = useRemote(application, {})
  const sections: Section[] = [
    { id: 'state', title: 'API and Agents', content: <StateSection about={about} /> },
    { id: 'application', title: 'Application Information', content: <ApplicationSection about={about} /> },
    ...Object.entries(rowsOf).map(([title, rows]) => ({
      id: title.toLowerCase().replaceAll(' ', '-'),
      title,
      content: <ConfigurationSection title={title} rows={rows} remote={remote} />,
    })),
    {
      id: 'email',
      title: 'Email',
      content: (
        <Card title="Email" remote={remote} folds="open">
          {(entries) => <EmailSection entries={entries} updated={remote.retry} />}
        </Card>
      ),
    },
    { id: 'snapshots', title: 'Snapshots', content: <SnapshotsSection /> },
    { id: 'wall-displays', title: 'Wall displays', content: <WallDisplaysSection /> },
    { id: 'users', title: 'Users', content: <UsersSection /> },
    { id: 'sessions', title: 'Sessions', content: <SessionsSection /> },
    { id: 'api-tokens', title: 'API tokens', content: <ApiTokensSection /> },
  ]
  return <SectionList label="Sections of the general settings" sections={sections} />
}
