import { Button } from '@mantine/core'
import { IconChecklist, IconReportAnalytics, IconShare2, IconAlertTriangle, IconBinaryTree } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { reports } from '#events/reports/calls.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { Page } from '#client/ui/Page.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { type Tab, Tabs } from '#client/ui/Tabs.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { AsOfDay } from '#client/app/AsOfDay.tsx'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { Reclaimable } from '#client/parts/duplicates/Reclaimable.tsx'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { OmittedFilters } from './advanced/OmittedFilters.tsx'
import { DownloadMenu } from './results/DownloadMenu.tsx'
import { MediaBar } from './filters/MediaBar.tsx'
import { FilterChips } from './filters/FilterChips.tsx'
import { type FilterParams, filterNames } from '#client/parts/searched/filterNames.ts'
import { clearedSize } from './results/listOrder.state.ts'
import { Results } from './results/Results.tsx'
import { savedQuery, searchParamsOf } from './saved/savedQuery.ts'
import { SavedSearches } from './saved/SavedSearches.tsx'
import {
  type ChangeSearch,
  isEmptySearch,
  isTooLong,
  type SearchAddress,
  type SearchTab,
  useSearchAddress,
} from '#client/parts/searched/searchAddress.ts'
import { useSearchResults, type SearchResults } from './results/useSearchResults.ts'
import { SearchLine } from './filters/SearchLine.tsx'
import { criteriaOfFilters } from './advanced/criteriaOfFilters.ts'
import classes from './SearchPage.module.css'

// Charts, the query builder and the list of duplicates are loaded on first use.
const AnalyticsTab = lazy(() => import('./analytics/AnalyticsTab.tsx').then((m) => ({ default: m.AnalyticsTab })))
const AdvancedSearch = lazy(() => import('./advanced/AdvancedSearch.tsx').then((m) => ({ default: m.AdvancedSearch })))
const DuplicateFolders = lazy(() =>
  import('./results/DuplicateFolders.tsx').then((m) => ({ default: m.DuplicateFolders })),
)

const noFilters: FilterParams = Object.fromEntries(filterNames.map((name) => [name, []]))

/** Searches files and folders. The URL contains the whole search. */
export function SearchPage() {
  const [address, changeSearch] = useSearchAddress()
  const results = useSearchResults(address)
  const volumes = useVolumesAt(results.indexingDate).data?.elements ?? []
  // A new key resets inputs with uncommitted text.
  const [clearCount, setClearCount] = useState(0)
  const onClear = () => {
    setClearCount(clearCount + 1)
    changeSearch({ params: noFilters, criteria: undefined, size: clearedSize })
  }
  const searchProps = { address, changeSearch, results, volumes, onClear }
  return (
    <Page
      title="Search"
      actions={
        <>
          <ReportOfSearch address={address} />
          <PolicyOfSearch address={address} />
          <ShareSearch address={address} />
          <DownloadMenu address={address} results={results} />
        </>
      }
    >
      <div className={classes.page}>
        <SearchForm key={clearCount} {...searchProps} />
        <Tabs label="Results" tabs={tabsOf(searchProps)} shown={address.tab} onShow={(tab) => changeSearch({ tab })} />
      </div>
    </Page>
  )
}

/** Search text with filters, or the query builder. */
function SearchForm({ address, changeSearch, results, volumes, onClear }: SearchProps) {
  const { criteria, params, tab } = address
  const set = (params: FilterParams) => changeSearch({ params })
  return (
    <>
      <div className="row wrap gap-8">
        <SearchLine params={params} set={set} volumes={volumes} disabled={criteria !== undefined} />
        <AdvancedSwitch address={address} changeSearch={changeSearch} />
        <SavedSearches />
      </div>
      {criteria === undefined ? (
        <div className={classes.bar}>
          <FilterChips address={address} volumes={volumes} set={set} onClear={onClear} error={results.entries.error} />
          <ResultTotals results={results} hasSize={tab !== 'folders'} />
        </div>
      ) : (
        <>
          <Suspense fallback={<Skeleton rows={4} />}>
            <AdvancedSearch criteria={criteria} changeSearch={changeSearch} volumes={volumes} />
          </Suspense>
          <OmittedFilters address={address} volumes={volumes} />
        </>
      )}
      <MediaBar address={address} indexingDate={results.indexingDate} changeSearch={changeSearch} />
      <InvalidParameters invalid={address.invalid} onRemove={() => changeSearch({ page: address.page })} />
    </>
  )
}

type SearchProps = Parameters<typeof Results>[0]

/** Duplicates by folder are those of filters; conditions have the other tabs. */
const tabsOf = (searchProps: SearchProps): Tab<SearchTab>[] => [
  ...resultTabs(searchProps),
  ...(searchProps.address.criteria === undefined ? [duplicatesTab(searchProps)] : []),
]

const duplicatesTab = ({ address, results }: SearchProps): Tab<SearchTab> => ({
  key: 'duplicates',
  title: 'Duplicates by folder',
  content: (
    <Suspense fallback={<Skeleton rows={12} />}>
      <AsOfDay />
      <DuplicateFolders address={address} indexingDate={results.indexingDate} />
    </Suspense>
  ),
})

const resultTabs = (searchProps: SearchProps): Tab<SearchTab>[] => [
  { key: 'files', title: 'Files', content: <Results {...searchProps} /> },
  { key: 'folders', title: 'Folders', content: <Results {...searchProps} /> },
  {
    key: 'analytics',
    title: 'Analytics',
    content: (
      <Suspense fallback={<Skeleton rows={12} />}>
        <AsOfDay />
        <AnalyticsTab {...searchProps} />
      </Suspense>
    ),
  },
]

/** Number of results, and their size for files. */
function ResultTotals({ results, hasSize }: { results: SearchResults; hasSize: boolean }) {
  const { list, entries } = results
  const { total: count, totals } = entries.data ?? {}
  return (
    <output className={classes.found} aria-label="Found">
      {count !== undefined && (
        <Count
          of={count}
          one={list === 'folders' ? 'folder' : 'file'}
          many={list === 'folders' ? 'folders' : 'files'}
        />
      )}
      {hasSize && totals && (
        <span>
          <Size bytes={totals.size} />
        </span>
      )}
      {hasSize && totals && <Reclaimable totals={totals} />}
    </output>
  )
}

/** Link that starts a report with the conditions of this search, if they fit in a URL. */
function ReportOfSearch({ address: { criteria, filters } }: { address: SearchAddress }) {
  const links = useLinks()
  const conditions = criteria ?? criteriaOfFilters(filters)
  if (isTooLong(conditions)) return null
  return (
    <RoleGuard needs={reports.create}>
      <Button
        component={Link}
        href={links.newReport(conditions)}
        variant="default"
        leftSection={<IconReportAnalytics size={16} stroke={1.5} />}
      >
        New report
      </Button>
    </RoleGuard>
  )
}

/** Link that makes a policy of this search, or changes the search of the policy in the URL. */
function PolicyOfSearch({ address }: { address: SearchAddress }) {
  const links = useLinks()
  const [query] = useQuery()
  if (isEmptySearch(address)) return null
  const params = searchParamsOf(savedQuery(query))
  const policy = Number(query.get('policy'))
  return (
    <RoleGuard needs="policies.edit">
      <Button
        component={Link}
        href={policy > 0 ? links.policy(policy, params) : links.newPolicy(params)}
        variant="default"
        leftSection={<IconChecklist size={16} stroke={1.5} />}
      >
        {policy > 0 ? 'Use for the policy' : 'Make a policy'}
      </Button>
    </RoleGuard>
  )
}

/** Copies a link to this search, without the page. */
function ShareSearch({ address }: { address: SearchAddress }) {
  const links = useLinks()
  const [opened, open] = useState(false)
  const { criteria } = address
  const { search = [], ...filters } = address.params
  const params = criteria === undefined ? { search: search.length > 0 ? search : '', ...filters } : { criteria }
  return (
    <>
      <Button variant="default" leftSection={<IconShare2 size={16} stroke={1.5} />} onClick={() => open(true)}>
        Share
      </Button>
      <Dialog opened={opened} title="Share this search" size="M" onClose={() => open(false)}>
        <CopyableText label="URL" text={`${location.origin}${withBase(links.search(params))}`} isFirst />
      </Dialog>
    </>
  )
}

/** Lists invalid parameters of the URL, which are ignored. */
function InvalidParameters({ invalid, onRemove }: { invalid: string[]; onRemove: () => void }) {
  if (invalid.length === 0) return null
  return (
    <output className={classes.wrong}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>Left out of the search: {invalid.join('; ')}.</span>
      <Button variant="default" size="compact-sm" onClick={onRemove}>
        Remove from the URL
      </Button>
    </output>
  )
}

/** Switches between filters and query builder. The builder starts with the conditions of the filters. */
function AdvancedSwitch({ address, changeSearch }: { address: SearchAddress; changeSearch: ChangeSearch }) {
  const isOn = address.criteria !== undefined
  return (
    <Button
      variant={isOn ? 'light' : 'default'}
      aria-pressed={isOn}
      leftSection={<IconBinaryTree size={16} stroke={1.5} />}
      onClick={() => changeSearch({ criteria: isOn ? undefined : criteriaOfFilters(address.filters) })}
    >
      Advanced
    </Button>
  )
}
