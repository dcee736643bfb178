import { Redirect, useParams } from 'wouter'
import { useLinks } from '../app/links.ts'
import { SettingsFrame } from '../parts/settings/SettingsFrame.tsx'
import { DataTab } from './DataTab.tsx'
import { GeneralTab } from './general/GeneralTab.tsx'
import { StorageTab } from './storages/StorageTab.tsx'

/** Settings tabs; the current one is in the URL. */
export function SettingsPage() {
  const { tab = 'general' } = useParams<{ tab?: string }>()
  const links = useLinks()
  if (tab === 'data') return <DataTab />
  if (tab === 'storage') return <StorageTab />
  if (tab !== 'general') return <Redirect to={links.dashboard()} replace />
  return (
    <SettingsFrame tab="general">
      <GeneralTab />
    </SettingsFrame>
  )
}
