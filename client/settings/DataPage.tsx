import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type ConfigurationEntry, configurationKeys, configurations } from '#events/configurations.ts'
import { type SourceKind, sourceKinds } from '#events/sources/kinds.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { IconikSection } from './actions/IconikSection.tsx'
import { SodaSection } from './actions/SodaSection.tsx'
import { StorNextSection } from './actions/StorNextSection.tsx'
import { AgentsSection } from './agents/AgentsSection.tsx'
import { PriceBookSection } from './price-books/PriceBookSection.tsx'
import { SectionList } from './SectionList.tsx'
import { AddSource } from './sources/AddSource.tsx'
import { sourceScreens } from './sources/sourceScreens.ts'
import { StoragesSection } from './storages/StoragesSection.tsx'
import classes from './DataPage.module.css'

/** Systems that act on files. */
const actionSections = [
  { id: 'quantum-stornext', title: 'Quantum StorNext Integration', content: <StorNextSection /> },
  { id: 'iconik', title: 'Iconik Integration', content: <IconikSection /> },
  { id: 'soda', title: 'SODA Integration', content: <SodaSection /> },
]

/** All storages, sources by kind, credentials, price books and integrations. */
export function DataPage() {
  const [added, add] = useState<SourceKind>()
  const Wizard = added && sourceScreens[added]?.card?.Wizard
  const { data: entries } = useRemote(configurations.list, {}, 'configurations')
  const isBetaActive = entries !== undefined && valueOf(entries, 'isBetaActive') === 'true'
  const sections = sourceKinds.flatMap((kind) => {
    const section = sourceScreens[kind]?.section
    if (!section || (section.isBeta && !isBetaActive)) return []
    const { id, title, isIntegration = false, Content } = section
    return [{ id, title, isIntegration, content: <Content onAdd={() => add(kind)} /> }]
  })
  return (
    <SettingsFrame page="data" actions={<AddSource onSelect={add} />}>
      <PerformanceWarning />
      <SectionList
        label="Sections of data"
        sections={[
          { id: 'storages', title: 'Storages', content: <StoragesSection /> },
          ...sections.filter(({ isIntegration }) => !isIntegration),
          { id: 'price-book', title: 'Price Book', content: <PriceBookSection /> },
          { id: 'agents', title: 'Agents', content: <AgentsSection /> },
          ...sections.filter(({ isIntegration }) => isIntegration),
          ...actionSections,
        ]}
      />
      {Wizard && <Wizard onClose={() => add(undefined)} />}
    </SettingsFrame>
  )
}

const valueOf = (entries: ConfigurationEntry[], name: 'isBetaActive' | 'isPerformanceModeActive') =>
  entries.find((entry) => entry.name === name)?.value ?? configurationKeys[name].defaultValue

/** Notice that scans skip data, with a link to the setting. */
function PerformanceWarning() {
  const links = useLinks()
  const { data } = useRemote(configurations.list, {}, 'configurations')
  if (!data || valueOf(data, 'isPerformanceModeActive') !== 'true') return null
  return (
    <p className={classes.warning}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>
        Performance mode is active: scans skip owners and groups, and folders are not compared for duplicates. Change it
        in <Link href={links.settings()}>System</Link>.
      </span>
    </p>
  )
}
