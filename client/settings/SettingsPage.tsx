import { IconTools } from '@tabler/icons-react'
import { Redirect, useParams } from 'wouter'
import { useLinks } from '../app/links.ts'
import { SettingsFrame, type SettingsTab, settingsTabs } from '../parts/settings/SettingsFrame.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AgentsSection } from './AgentsSection.tsx'
import { FileStorageSection } from './FileStorageSection.tsx'
import { GeneralTab } from './general/GeneralTab.tsx'
import classes from './SettingsPage.module.css'

/** The tabs of the settings; one of them is in the address. */
export function SettingsPage() {
  const { tab = 'general' } = useParams<{ tab?: string }>()
  const links = useLinks()
  if (!isTab(tab)) return <Redirect to={links.dashboard()} replace />
  return (
    <SettingsFrame tab={tab}>
      {tab === 'general' ? (
        <GeneralTab />
      ) : tab === 'data' ? (
        <DataTab />
      ) : (
        <Notice icon={IconTools}>{settingsTabs[tab]} is not available in this version.</Notice>
      )}
    </SettingsFrame>
  )
}

const isTab = (word: string): word is SettingsTab => Object.hasOwn(settingsTabs, word)

function DataTab() {
  return (
    <div className={classes.sections}>
      <FileStorageSection />
      <AgentsSection />
      <p className={classes.missing}>
        Object storage, Dell PowerScale, price books and integrations are not available in this version.
      </p>
    </div>
  )
}
