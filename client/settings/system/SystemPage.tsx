import { application } from '#events/administration.ts'
import { configurations } from '#events/configurations.ts'
import { useRemote } from '#client/app/remote.ts'
import { type Section, SectionList } from '#client/settings/SectionList.tsx'
import { ApplicationSection } from './ApplicationSection.tsx'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { advancedRows, generalRows, limitRows, retentionRows, scanRows } from './configurationRows.ts'
import { SnapshotsSection } from './SnapshotsSection.tsx'
import { StateSection } from './StateSection.tsx'

const rowsOf = {
  'General Configurations': generalRows,
  'Data Retention': retentionRows,
  Scan: scanRows,
  'User Limits': limitRows,
  Advanced: advancedRows,
}

/** State, configuration and snapshots of the product. */
export function SystemPage() {
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
    { id: 'snapshots', title: 'Snapshots', content: <SnapshotsSection /> },
  ]
  return <SectionList label="Sections of the system settings" sections={sections} />
}
