import { Button } from '@mantine/core'
import type { ChangeSearch, SearchAddress } from '#client/parts/searched/searchAddress.ts'
import { counted } from '#client/ui/text/count.ts'
import { useSearchResults } from './useSearchResults.ts'

/** For a search without results in one list: the number of results in the other list, as a link. */
export function OtherList({ address, changeSearch }: { address: SearchAddress; changeSearch: ChangeSearch }) {
  const isOfFolders = address.tab === 'folders'
  const tab = isOfFolders ? 'files' : 'folders'
  const { entries } = useSearchResults({ ...address, tab, page: 1, size: 10, sort: undefined })
  const total = entries.data?.total ?? 0
  if (total === 0) return null
  return (
    <span className="block">
      <Button variant="subtle" size="compact-sm" onClick={() => changeSearch({ tab })}>
        {counted(total, isOfFolders ? 'file' : 'folder')} match{total === 1 && 'es'}
      </Button>
    </span>
  )
}
