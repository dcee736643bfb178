import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, useParams } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { movedTo, movedToStorages, type SettingsPageName } from '#client/app/place/settingsPages.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'

const DataPage = lazy(() => import('./DataPage.tsx').then((m) => ({ default: m.DataPage })))
const contents: Partial<Record<string, ComponentType>> = {
  system: lazy(() => import('./system/SystemPage.tsx').then((m) => ({ default: m.SystemPage }))),
  mail: lazy(() => import('./mail/EmailSection.tsx').then((m) => ({ default: m.EmailSection }))),
  users: lazy(() => import('./users/UsersPage.tsx').then((m) => ({ default: m.UsersPage }))),
  tokens: lazy(() => import('./api-tokens/ApiTokensSection.tsx').then((m) => ({ default: m.ApiTokensSection }))),
  walls: lazy(() =>
    import('./wall-displays/WallDisplaysSection.tsx').then((m) => ({ default: m.WallDisplaysSection })),
  ),
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
      <Suspense fallback={<Skeleton rows={8} />}>
        <Content />
      </Suspense>
    </SettingsFrame>
  )
}
