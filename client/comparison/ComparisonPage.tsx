import { useQuery } from '../app/address.ts'
import { NoFolder } from '../parts/no-folder/NoFolder.tsx'
import { Page } from '../ui/Page.tsx'
import { ComparedFolder } from './ComparedFolder.tsx'
import { readPlace } from './comparisonAddress.ts'
import { title } from './title.ts'

/** What became of a folder, or of everything, since an earlier snapshot. */
export function ComparisonPage() {
  const [query] = useQuery()
  const place = readPlace(query)
  if (!place)
    return (
      <Page title={title}>
        <NoFolder />
      </Page>
    )
  return <ComparedFolder key={`${place.volumeId} ${place.path}`} place={place} />
}
