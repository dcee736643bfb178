import { lazy, useEffect } from 'react'
import { onceUsed } from '#client/ui/onceUsed.ts'
import { useMeantFolder } from './useMeantFolder.ts'
import { usePlace } from './usePlace.ts'

const loadFolder = () => import('./FolderPage.tsx')
const FolderPage = lazy(() => loadFolder().then((m) => ({ default: m.FolderPage })))
const VolumesPage = lazy(() => import('./VolumesPage.tsx').then((m) => ({ default: m.VolumesPage })))

/** List of volumes, or the folder in the URL. */
export function FileManagementPage() {
  const place = usePlace()
  const { volumeId, path } = place
  useMeantFolder(place, volumeId === undefined && path !== '/')
  // Loaded by the time the user opens a volume.
  useEffect(() => onceUsed(() => void loadFolder().catch(() => {})), [])
  if (volumeId === undefined) return <VolumesPage />
  return <FolderPage key={`${volumeId} ${path}`} place={{ ...place, volumeId }} />
}
