import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { LinkTabs } from '#client/parts/settings/SettingsFrame.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { isHandledElsewhere } from '#client/ui/keys.ts'
import { Page } from '#client/ui/Page.tsx'
import { useEverOpen } from '#client/ui/useEverOpen.ts'
import { useKeyDown } from '#client/ui/useKeyDown.ts'
import type { TileKey } from '../sources/AddStorage.tsx'
import { StorageTable } from './StorageTable.tsx'

const AddStorage = lazy(() => import('../sources/AddStorage.tsx').then((m) => ({ default: m.AddStorage })))
const ImportHistory = lazy(() => import('../imports/ImportHistory.tsx').then((m) => ({ default: m.ImportHistory })))
const Systems = lazy(() => import('../sources/Systems.tsx').then((m) => ({ default: m.Systems })))

/** All storages: their state, the settings of each system, and the wizards that add one. */
export function StoragesPage() {
  const links = useLinks()
  const [path] = useLocation()
  const { user } = useSnapshot(session)
  const mayEdit = userMay(user as typeof session.user, 'settings.edit')
  const [adding, add] = useOpenedForm<TileKey>('storage')
  const [importing, openImport] = useOpenedForm('import')
  const [query] = useQuery()
  const isAdding = adding !== undefined && mayEdit
  const isImporting = importing !== undefined && mayEdit
  const hadDialog = useEverOpen(isAdding)
  const hadImport = useEverOpen(isImporting)
  useKeyDown((event) => {
    if (event.key !== 'a' || !mayEdit || isHandledElsewhere(event)) return
    event.preventDefault()
    add('new')
  })
  const here = path === '/storages/settings' && mayEdit ? 'settings' : 'overview'
  return (
    <Page
      title="Storages"
      actions={
        <RoleGuard needs="settings.edit">
          <Button variant="default" onClick={() => openImport('new')}>
            Import history
          </Button>
          <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => add('new')}>
            Add storage
          </Button>
        </RoleGuard>
      }
      tabs={
        <RoleGuard needs="settings.edit">
          <LinkTabs
            label="Storages"
            here={here}
            tabs={[
              { key: 'overview', title: 'Overview', href: links.storages() },
              { key: 'settings', title: 'Settings and credentials', href: links.storageSettings() },
            ]}
          />
        </RoleGuard>
      }
    >
      {here === 'settings' ? (
        <Suspense fallback={<Skeleton rows={8} isInset />}>
          <Systems onAdd={add} />
        </Suspense>
      ) : (
        <StorageTable onAdd={add} />
      )}
      <Suspense fallback={null}>
        {hadDialog && (
          <AddStorage title="What do you want to scan?" adding={isAdding ? adding : undefined} onChange={add} />
        )}
        {hadImport && (
          <ImportHistory
            opened={isImporting}
            volumeId={Number(query.get('volumeId')) || undefined}
            onClose={() => openImport(undefined)}
          />
        )}
      </Suspense>
    </Page>
  )
}
