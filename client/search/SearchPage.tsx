import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { AdvancedSearch } from './advanced/AdvancedSearch.tsx'
import { AdvancedSwitch } from './advanced/AdvancedSwitch.tsx'
import { LeftOut } from './advanced/LeftOut.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { FilterCard } from './FilterCard.tsx'
import { FilterChips } from './FilterChips.tsx'
import { type FilterWords, filterNames, wordOf } from './filterNames.ts'
import { FoundSummary } from './FoundSummary.tsx'
import { clearedSize } from './listOrder.state.ts'
import { Results } from './Results.tsx'
import { SavedSearches } from './SavedSearches.tsx'
import type { SearchTab } from './searchAddress.ts'
import { SearchField } from './SearchField.tsx'
import { ShareSearch } from './ShareSearch.tsx'
import { useFound } from './useFound.ts'
import { useSearchAddress } from './useSearchAddress.ts'
import { useVolumesOf } from './useVolumesOf.ts'
import { WrongParameters } from './WrongParameters.tsx'
import classes from './SearchPage.module.css'

// Charts are brought when they are looked at.
const AnalyticsTab = lazy(() => import('./AnalyticsTab.tsx').then((m) => ({ default: m.AnalyticsTab })))

const nothing: FilterWords = Object.fromEntries(filterNames.map((name) => [name, []]))

/** Files and folders by what is known of them; the address is the question. */
export function SearchPage() {
  const [address, go] = useSearchAddress()
  const results = useFound(address)
  const volumes = useVolumesOf(results.indexingDate).data?.elements ?? []
  const [isFiltering, filter] = useState(false)
  // Fields that are half typed begin anew when all is cleared.
  const [clearings, noteClearing] = useState(0)
  const onClear = () => {
    noteClearing(clearings + 1)
    go({ words: nothing, criteria: undefined, size: clearedSize })
  }
  const asked = { address, go, results, volumes, onClear }
  return (
    <Page
      title="Search"
      actions={
        <>
          <ShareSearch address={address} />
          <DownloadMenu address={address} results={results} />
        </>
      }
    >
      <div className={classes.page}>
        <Question key={clearings} {...asked} isFiltering={isFiltering} filter={filter} />
        <Tabs label="Results" tabs={tabsOf(asked)} shown={address.tab} onShow={(tab) => go({ tab })} />
      </div>
    </Page>
  )
}

/** What is asked: the text with the filters, or conditions in their place. */
function Question({ address, go, results, volumes, onClear, isFiltering, filter }: Asked & Filtering) {
  const { criteria, words } = address
  const isAdvanced = criteria !== undefined
  const set = (words: FilterWords) => go({ words })
  const { error } = results.found
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          text={wordOf(words, 'search')}
          onSearch={(text) => set({ search: [text] })}
          disabled={isAdvanced}
        />
        <FoundSummary results={results} hasSize={address.tab !== 'folders' || isAdvanced} />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.5} />}
          aria-expanded={isFiltering}
          disabled={isAdvanced}
          onClick={() => filter(!isFiltering)}
        >
          Filter
        </Button>
        <AdvancedSwitch address={address} go={go} />
        <SavedSearches />
      </div>
      {isAdvanced ? (
        <>
          <AdvancedSearch criteria={criteria} go={go} error={error} volumes={volumes} />
          <LeftOut address={address} volumes={volumes} />
        </>
      ) : (
        <>
          <FilterCard isOpen={isFiltering} words={words} set={set} error={error} volumes={volumes} />
          <FilterChips address={address} volumes={volumes} set={set} onClear={onClear} />
        </>
      )}
      <WrongParameters wrong={address.wrong} onLeaveOut={() => go({ page: address.page })} />
    </>
  )
}

type Filtering = { isFiltering: boolean; filter: (isFiltering: boolean) => void }
type Asked = Parameters<typeof Results>[0]

const tabsOf = (asked: Asked): Tab<SearchTab>[] => [
  { key: 'files', title: 'Files', content: <Results {...asked} /> },
  { key: 'folders', title: 'Folders', content: <Results {...asked} /> },
  {
    key: 'analytics',
    title: 'Analytics',
    content: (
      <Suspense fallback={<Skeleton rows={12} />}>
        <AnalyticsTab {...asked} />
      </Suspense>
    ),
  },
]
