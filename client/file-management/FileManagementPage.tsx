import { FolderPage } from './FolderPage.tsx'
import { useMeantFolder } from './useMeantFolder.ts'
import { usePlace } from './usePlace.ts'
import { VolumesPage } from './VolumesPage.tsx'

/** List of volumes, or the folder in the URL. */
export function FileManagementPage() {
  const place = usePlace()
  const { volumeId, path } = place
  useMeantFolder(place, volumeId === undefined && path !== '/')
  if (volumeId === undefined) return <VolumesPage />
  return <FolderPage key={`${volumeId} ${path}`} place={{ ...place, volumeId }} />
}
