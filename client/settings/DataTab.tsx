import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
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
import classes from './DataTab.module.css'

/** Systems that act on files. */
const actionSections = [
  { id: 'quantum-stornext', title: 'Quantum StorNext Integration', content: <StorNextSection /> },
  { id: 'iconik', title: 'Iconik Integration', content: <IconikSection /> },
  { id: 'soda', title: 'SODA Integration', content: <SodaSection /> },
]

/** Sources, credentials, price books and integrations. */
export function DataTab() {
  const [added, add] = useAddedKind()
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
    <SettingsFrame tab="data" actions={<AddSource onSelect={add} />}>
      <PerformanceWarning />
      <SectionList
        label="Sections of data"
        sections={[
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

/** Kinds of sources whose wizards have an address, such as `/settings/data?add=storage`. */
const kindsByAddress: Partial<Record<string, SourceKind>> = { storage: 'fileStorage', bucket: 'bucket' }

/** The kind of source that is being added: chosen here, or by the address of the page. */
function useAddedKind() {
  const [search, setSearch] = useSearchParams()
  const [chosen, choose] = useState<SourceKind>()
  const add = (kind: SourceKind | undefined) => {
    choose(kind)
    const rest = new URLSearchParams(search)
    rest.delete('add')
    if (kind === undefined && search.has('add')) setSearch(rest, { replace: true })
  }
  return [chosen ?? kindsByAddress[search.get('add') ?? ''], add] as const
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
        in <Link href={links.settings()}>General</Link>.
      </span>
    </p>
  )
}
