import { FolderPage } from './FolderPage.tsx'
import { usePlace } from './usePlace.ts'
import { VolumesPage } from './VolumesPage.tsx'

/** The volumes, or the folder of a volume that the address names. */
export function FileManagementPage() {
  const place = usePlace()
  const { volumeId, path } = place
  if (volumeId === undefined) return <VolumesPage />
  return <FolderPage key={`${volumeId} ${path}`} place={{ ...place, volumeId }} />
}
