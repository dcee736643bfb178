import { Button } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { Link } from 'wouter'
import { configurations } from '#events/configurations.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { IconikSection } from './actions/IconikSection.tsx'
import { SodaSection } from './actions/SodaSection.tsx'
import { StorNextSection } from './actions/StorNextSection.tsx'
import { AgentsSection } from './agents/AgentsSection.tsx'
import { valueOf } from './configurationValue.ts'
import { PriceBookSection } from './price-books/PriceBookSection.tsx'
import { SectionList } from './SectionList.tsx'
import { AddStorage, type TileKey } from './sources/AddStorage.tsx'
import { ArchiwareSection } from './sources/archiwares/ArchiwareSection.tsx'
import classes from './DataPage.module.css'

/** Price books, agents and integrations. Storages have a page of their own, and can be added here too. */
export function DataPage() {
  const links = useLinks()
  const [adding, add] = useOpenedForm<TileKey>()
  return (
    <SettingsFrame
      page="data"
      actions={
        <>
          <Button component={Link} href={links.storages()} variant="default">
            All storages
          </Button>
          <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => add('new')}>
            Add a new storage type
          </Button>
        </>
      }
    >
      <PerformanceWarning />
      <SectionList
        label="Sections of data"
        sections={[
          { id: 'price-book', title: 'Price Book', content: <PriceBookSection /> },
          { id: 'agents', title: 'Agents', content: <AgentsSection /> },
          {
            id: 'archiware-p5',
            title: 'Archiware P5 Integration',
            content: <ArchiwareSection onAdd={() => add('archiware')} />,
          },
          { id: 'quantum-stornext', title: 'Quantum StorNext Integration', content: <StorNextSection /> },
          { id: 'iconik', title: 'Iconik Integration', content: <IconikSection /> },
          { id: 'soda', title: 'SODA Integration', content: <SodaSection /> },
        ]}
      />
      <AddStorage title="Select a Storage Type" adding={adding} onChange={add} />
    </SettingsFrame>
  )
}

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
