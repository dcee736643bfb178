import { IconTools } from '@tabler/icons-react'
import { Redirect, useParams } from 'wouter'
import { useLinks } from '../app/links.ts'
import { SettingsFrame, type SettingsTab, settingsTabs } from '../parts/settings/SettingsFrame.tsx'
import { Notice } from '../ui/Notice.tsx'
import { DataTab } from './DataTab.tsx'
import { GeneralTab } from './general/GeneralTab.tsx'

/** The tabs of the settings; one of them is in the address. */
export function SettingsPage() {
  const { tab = 'general' } = useParams<{ tab?: string }>()
  const links = useLinks()
  if (!isTab(tab)) return <Redirect to={links.dashboard()} replace />
  if (tab === 'data') return <DataTab />
  return (
    <SettingsFrame tab={tab}>
      {tab === 'general' ? (
        <GeneralTab />
      ) : (
        <Notice icon={IconTools}>{settingsTabs[tab]} is not available in this version.</Notice>
      )}
    </SettingsFrame>
  )
}

const isTab = (word: string): word is SettingsTab => Object.hasOwn(settingsTabs, word)
