import { Button, NativeSelect } from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Volume } from '#events/snapshots.ts'
import type { Entry } from '#events/entries.ts'
import { useHasArchives } from '#client/parts/archived/useHasArchives.ts'
import { TagsDialog } from '#client/parts/tags/TagsDialog.tsx'
import { folderRule } from '#client/parts/duplicates/duplicateWords.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { DisplayToggles } from '#client/ui/table/DisplayToggles.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { SearchAddress, ChangeSearch } from '#client/parts/searched/searchAddress.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { ColumnsButton } from '#client/parts/selection/ColumnsButton.tsx'
import { newSelection } from '#client/parts/selection/selection.ts'
import { columnChoices, saveSort } from './listOrder.state.ts'
import { filterNames, paramOf } from '#client/parts/searched/filterNames.ts'
import { noResults } from './noResults.ts'
import { offeredColumns, resultColumns } from './resultColumns.tsx'
import { ResultTable, showsContents } from './ResultTable.tsx'
import type { SearchResults } from './useSearchResults.ts'
import classes from './Results.module.css'

const ClosestFolder = lazy(() => import('./ClosestFolder.tsx').then((m) => ({ default: m.ClosestFolder })))
const OtherList = lazy(() => import('./OtherList.tsx').then((m) => ({ default: m.OtherList })))

type ResultsProps = {
  address: SearchAddress
  changeSearch: ChangeSearch
  results: SearchResults
  volumes: readonly Volume[]
  onClear: () => void
}

type GroupDuplicatesProps = Pick<ResultsProps, 'changeSearch'> & { sort: Sort }

/** Groups duplicates, largest sets first. */
function GroupDuplicates({ sort, changeSearch }: GroupDuplicatesProps) {
  const isOn = sort.field === setSort.field
  return (
    <Button
      variant={isOn ? 'light' : 'default'}
      size="compact-sm"
      aria-pressed={isOn}
      onClick={() => changeSearch({ sort: isOn ? undefined : setSort })}
    >
      Group duplicates
    </Button>
  )
}
const setSort = { field: 'duplicateSet', direction: 'desc' } as const
const notLoaded = { data: undefined, error: undefined, loading: false, retry: () => {} }
const nothing = { selection: newSelection(), onSelect: () => {}, onTags: undefined }

const presets: readonly (readonly [label: string, sort: Sort])[] = [
  ['Largest', { field: 'size', direction: 'desc' }],
  ['Newest', { field: 'lastModified', direction: 'desc' }],
  ['Oldest', { field: 'lastModified', direction: 'asc' }],
]
const labelOf = (sort: Sort): string =>
  presets.find(([, { field, direction }]) => field === sort.field && direction === sort.direction)?.[0] ?? 'Custom'

/** Common orders of the results. */
function SortPresets({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const chosen = labelOf(sort)
  const labels = [...presets.map(([label]) => label), ...(chosen === 'Custom' ? [chosen] : [])]
  return (
    <NativeSelect
      size="xs"
      className={classes.order}
      aria-label="Order"
      data={labels}
      value={chosen}
      onChange={({ currentTarget }) => {
        const preset = presets.find(([label]) => label === currentTarget.value)
        if (preset) onSort(preset[1])
      }}
    />
  )
}

/** True if the text of the search is its only filter. */
const isTextAlone = ({ params, criteria }: SearchAddress): boolean =>
  criteria === undefined && filterNames.every((name) => name === 'search' || paramOf(params, name) === '')

/** List of files or folders, or an empty state. */
export function Results({ address, changeSearch, results, volumes, onClear }: ResultsProps) {
  const { list, entries } = results
  const [tagged, tag] = useState<Entry>()
  const hasArchives = useHasArchives(volumes)
  const hasContents = showsContents(address)
  const controls = (
    <div className="row wrap push gap-8">
      {hasContents && <GroupDuplicates sort={results.sort} changeSearch={changeSearch} />}
      <SortPresets
        sort={results.sort}
        onSort={(sort) => {
          saveSort(list, sort)
          changeSearch({ sort })
        }}
      />
      <ColumnsButton
        columns={offeredColumns(
          resultColumns(list, { ...nothing, hasArchives, contents: hasContents ? notLoaded : undefined }),
          entries.data?.elements ?? [],
          columnChoices[list].current.shown,
        )}
        choice={columnChoices[list]}
      />
      <DisplayToggles />
    </div>
  )
  return (
    <>
      <Card title={list === 'files' ? 'Files' : 'Folders'} isBare remote={entries} skeleton={<Skeleton rows={12} />}>
        {({ total, elements }) =>
          total === 0 ? (
            <Notice
              icon={IconFileSearch}
              step={<Button onClick={onClear}>{isTextAlone(address) ? 'Clear search' : 'Clear filters'}</Button>}
            >
              {noResults(list, address.filters, volumes)}
              <Suspense fallback={null}>
                <OtherList address={address} changeSearch={changeSearch} />
                {address.criteria === undefined && (
                  <ClosestFolder filters={address.filters} volumes={volumes} changeSearch={changeSearch} />
                )}
              </Suspense>
            </Notice>
          ) : elements.length === 0 ? (
            <Notice icon={IconFileSearch} step={<Button onClick={() => changeSearch({ page: 1 })}>First page</Button>}>
              This page is beyond the last result.
            </Notice>
          ) : (
            <>
              {list === 'folders' && address.filters.onlyDuplicates && <p className="muted inset-8">{folderRule}</p>}
              <ResultTable
                address={address}
                changeSearch={changeSearch}
                results={results}
                onTags={tag}
                hasArchives={hasArchives}
                controls={controls}
              />
            </>
          )
        }
      </Card>
      <TagsDialog entry={tagged} onClose={() => tag(undefined)} />
    </>
  )
}
