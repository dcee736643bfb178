import { useQuery } from '../app/address.ts'
import { NoFolder } from '../parts/no-folder/NoFolder.tsx'
import { Page } from '../ui/Page.tsx'
import { FolderAnalytics } from './FolderAnalytics.tsx'
import { title } from './title.ts'

/** How the folder that the address names went through time. */
export function FoldersPage() {
  const [query] = useQuery()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') || '/'
  if (!Number.isInteger(volumeId) || volumeId < 1 || !path.startsWith('/'))
    return (
      <Page title={title}>
        <NoFolder />
      </Page>
    )
  const place = { volumeId, path: path.replace(/\/+$/, '') || '/' }
  return <FolderAnalytics key={`${volumeId} ${place.path}`} place={place} />
}
