import { IconChartBar, IconFileSearch } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import type { Volume } from '#events/snapshots.ts'
import { Notice } from '../ui/Notice.tsx'
import { Analytics } from './analytics/Analytics.tsx'
import { noResults } from './noResults.ts'
import type { SearchAddress } from './searchAddress.ts'
import type { FoundResults } from './useFound.ts'
import type { GoSearch } from './useSearchAddress.ts'

type AnalyticsTabProps = {
  address: SearchAddress
  go: GoSearch
  results: FoundResults
  volumes: readonly Volume[]
  onClear: () => void
}

/** Charts of what was found; what is chosen in one becomes a filter. */
export function AnalyticsTab({ address, go, results, volumes, onClear }: AnalyticsTabProps) {
  const { filters, criteria } = address
  if (criteria !== undefined)
    return <Notice icon={IconChartBar}>There are no charts of the conditions of the advanced search.</Notice>
  return (
    <Analytics
      filters={filters}
      indexingDate={results.indexingDate}
      onFilter={(change) =>
        go({ words: Object.fromEntries(Object.entries(change).map(([name, value]) => [name, [value ?? []].flat()])) })
      }
      empty={
        <Notice icon={IconFileSearch} step={<Button onClick={onClear}>Clear filters</Button>}>
          {noResults('files', filters, volumes)}
        </Notice>
      }
    />
  )
}
