import { application } from '#events/administration.ts'
import { configurations } from '#events/configurations.ts'
import { useRemote } from '#client/app/remote.ts'
import { EventDestinations } from '#client/settings/event-destinations/EventDestinations.tsx'
import { type Section, SectionList } from '#client/settings/SectionList.tsx'
import { ApplicationSection } from './ApplicationSection.tsx'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { advancedRows, generalRows, limitRows, retentionRows, type Row, scanRows } from './configurationRows.ts'
import { MetricsSection } from './MetricsSection.tsx'
import { SnapshotsSection } from './SnapshotsSection.tsx'
import { StateSection } from './StateSection.tsx'

/** State, configuration and snapshots of the product. */
export function SystemPage() {
  const remote = useRemote(configurations.list, {}, 'configurations')
  const about = useRemote(application, {})
  const settings = (title: string, rows: Row[], folds?: 'closed'): Section => ({
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    content: <ConfigurationSection title={title} rows={rows} remote={remote} folds={folds} />,
  })
  const sections: Section[] = [
    { id: 'state', title: 'API and agents', content: <StateSection about={about} /> },
    { id: 'application', title: 'Application Information', content: <ApplicationSection about={about} /> },
    settings('General Configurations', generalRows),
    settings('Data Retention', retentionRows),
    { id: 'snapshots', title: 'Snapshots', content: <SnapshotsSection /> },
    { id: 'event-log', title: 'Event log destinations', content: <EventDestinations /> },
    settings('Scan', scanRows),
    { id: 'metrics', title: 'Metrics', content: <MetricsSection /> },
    settings('User limits', limitRows, 'closed'),
    settings('Advanced', advancedRows, 'closed'),
  ]
  return <SectionList label="Sections of the system settings" sections={sections} />
}
