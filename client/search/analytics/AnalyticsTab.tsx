import { IconFileSearch } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import type { Volume } from '#events/snapshots.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { toast } from '#client/app/toasts/toasts.ts'
import { narrowedCriteria } from '#client/search/advanced/narrowedCriteria.ts'
import { noResults } from '#client/search/results/noResults.ts'
import { type ChangeSearch, isTooLong, type SearchAddress, searchedBy } from '#client/parts/searched/searchAddress.ts'
import type { SearchResults } from '#client/search/results/useSearchResults.ts'
import { Analytics } from './Analytics.tsx'
import type { FilterChange } from './cardChart.ts'

type AnalyticsTabProps = {
  address: SearchAddress
  changeSearch: ChangeSearch
  results: SearchResults
  volumes: readonly Volume[]
  onClear: () => void
}

/** Charts of the results. A selection becomes a filter, or another condition. */
export function AnalyticsTab({ address, changeSearch, results, volumes, onClear }: AnalyticsTabProps) {
  return (
    <Analytics
      searched={searchedBy(address)}
      indexingDate={results.indexingDate}
      onFilter={(change) => changeSearch(narrowed(address, change))}
      empty={
        <Notice icon={IconFileSearch} step={<Button onClick={onClear}>Clear filters</Button>}>
          {noResults('files', address.filters, volumes)}
        </Notice>
      }
    />
  )
}

function narrowed({ criteria }: SearchAddress, change: FilterChange): Parameters<ChangeSearch>[0] {
  if (criteria === undefined)
    return { params: Object.fromEntries(Object.entries(change).map(([name, value]) => [name, [value ?? []].flat()])) }
  const next = narrowedCriteria(criteria, change)
  if (next !== undefined && !isTooLong(next)) return { criteria: next }
  toast({ kind: 'warning', message: 'These conditions have no room for another one. Remove some of them first.' })
  return {}
}
