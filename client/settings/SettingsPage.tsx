import type { ComponentType } from 'react'
import { Redirect, useParams } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { movedTo, movedToStorages, type SettingsPageName } from '#client/app/place/settingsPages.ts'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { ApiTokensSection } from './api-tokens/ApiTokensSection.tsx'
import { DataPage } from './DataPage.tsx'
import { EmailSection } from './mail/EmailSection.tsx'
import { SystemPage } from './system/SystemPage.tsx'
import { UsersPage } from './users/UsersPage.tsx'
import { WallDisplaysSection } from './wall-displays/WallDisplaysSection.tsx'

const contents: Partial<Record<string, ComponentType>> = {
  system: SystemPage,
  mail: EmailSection,
  users: UsersPage,
  tokens: ApiTokensSection,
  walls: WallDisplaysSection,
}

/** The page of the settings in the URL. Addresses of earlier versions lead to the page that has their content now. */
export function SettingsPage() {
  const { page } = useParams<{ page?: string }>()
  const links = useLinks()
  const tab = movedToStorages(page, location.hash.slice(1))
  if (tab) return <Redirect to={tab === 'settings' ? links.storageSettings() : links.storages()} replace />
  const moved = movedTo(page, location.hash.slice(1))
  if (moved) return <Redirect to={links.settings(moved)} replace />
  if (page === 'data') return <DataPage />
  const name = page ?? 'system'
  const Content = contents[name]
  if (!Content) return <Redirect to={links.dashboard()} replace />
  return (
    <SettingsFrame page={name as SettingsPageName}>
      <Content />
    </SettingsFrame>
  )
}
