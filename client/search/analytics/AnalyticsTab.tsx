import { IconChartBar, IconFileSearch } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import type { Volume } from '#events/snapshots.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { noResults } from '#client/search/results/noResults.ts'
import type { SearchAddress, ChangeSearch } from '#client/search/searchAddress.ts'
import type { SearchResults } from '#client/search/results/useSearchResults.ts'
import { Analytics } from './Analytics.tsx'

type AnalyticsTabProps = {
  address: SearchAddress
  changeSearch: ChangeSearch
  results: SearchResults
  volumes: readonly Volume[]
  onClear: () => void
}

/** Charts of the results. A selection becomes a filter. */
export function AnalyticsTab({ address, changeSearch, results, volumes, onClear }: AnalyticsTabProps) {
  const { filters, criteria } = address
  if (criteria !== undefined)
    return <Notice icon={IconChartBar}>Charts are not available for advanced search conditions.</Notice>
  return (
    <Analytics
      filters={filters}
      indexingDate={results.indexingDate}
      onFilter={(change) =>
        changeSearch({
          params: Object.fromEntries(Object.entries(change).map(([name, value]) => [name, [value ?? []].flat()])),
        })
      }
      empty={
        <Notice icon={IconFileSearch} step={<Button onClick={onClear}>Clear filters</Button>}>
          {noResults('files', filters, volumes)}
        </Notice>
      }
    />
  )
}
