import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Entry } from '#events/entries.ts'
import { openEntryDetails, useOpened } from '#client/parts/entry-details/entryDetails.state.ts'
import { useContents } from '#client/parts/contents/useContents.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { SelectionToolbar } from '#client/parts/actions/SelectionToolbar.tsx'
import {
  type SelectionTotals,
  type Selection,
  clear,
  entryKey,
  isSelected,
  freshen,
  newSelection,
} from '#client/parts/selection/selection.ts'
import { useRowSelect } from '#client/parts/selection/useRowSelect.ts'
import { useMayTag } from '#client/parts/tags/useMayTag.ts'
import { type ColumnChoice, chosenColumns, fitColumns } from '#client/ui/table/chosenColumns.ts'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import { type SearchAddress, searchedBy, type ChangeSearch } from '#client/parts/searched/searchAddress.ts'
import { columnChoices, savePageSize, saveSort } from './listOrder.state.ts'
import { resultColumns } from './resultColumns.tsx'
import type { SearchResults } from './useSearchResults.ts'
import classes from './Results.module.css'

const nouns = { files: ['file', 'files'], folders: ['folder', 'folders'] } satisfies Record<string, [string, string]>

type ResultTableProps = {
  address: SearchAddress
  changeSearch: ChangeSearch
  results: SearchResults
  onTags: (entry: Entry) => void
  /** False if files can't have an archive state. */
  hasArchives: boolean
  /** Controls of the list, while nothing is selected. */
  controls: ReactNode
}

/** A page of results with selection and pagination. */
export function ResultTable(props: ResultTableProps) {
  const { changeSearch, results } = props
  const { list, page, size, entries, beyond } = results
  const cursor = entries.data?.cursor
  const total = entries.data?.total ?? 0
  const totalSize = entries.data?.totals?.size
  return (
    <div className={classes.list}>
      <Rows {...props} all={{ count: total, size: totalSize ?? -1 }} />
      <div className="inset-line">
        <Pagination
          nouns={nouns[list]}
          page={page}
          size={size}
          total={total}
          totalSize={totalSize}
          beyond={{
            count: beyond.count,
            next: cursor ? () => beyond.goOn(cursor) : undefined,
            back: beyond.goBack,
          }}
          onPage={(page) => changeSearch({ page })}
          onSize={(size) => {
            savePageSize(size)
            changeSearch({ size })
          }}
        />
      </div>
    </div>
  )
}

function Rows({
  address,
  changeSearch,
  results,
  onTags,
  hasArchives,
  controls,
  all,
}: ResultTableProps & { all: SelectionTotals }) {
  const { list, page, size, sort, entries, beyond, at, indexingDate } = results
  const rows = entries.data?.elements ?? none
  const selection = useResultSelection(rows, JSON.stringify([list, address.params, address.criteria, at]))
  const select = useRowSelect(rows, selection)
  const chosen = useSnapshot(selection) as Selection
  const choice = columnChoices[list]
  const chosenNow = useSnapshot(choice).current as ColumnChoice
  const tags = useMayTag() ? onTags : undefined
  const hasContents = showsContents(address)
  const contents = useContents(hasContents ? rows : none, indexingDate)
  const columns = useMemo(
    () =>
      chosenColumns(
        fitColumns(
          resultColumns(list, {
            selection,
            onSelect: select,
            onTags: tags,
            hasArchives,
            contents: hasContents ? contents : undefined,
          }),
          rows,
        ),
        chosenNow,
      ),
    [list, rows, selection, select, tags, hasArchives, hasContents, contents, chosenNow],
  )
  const setWidth = (key: string, width: number) =>
    choice.change({ ...choice.current, widths: { ...choice.current.widths, [key]: width } })
  const whole = { found: all, search: { ...searchedBy(address), isDirectory: list === 'folders' } }
  return (
    <>
      <div className={classes.toolbar}>
        <SelectionToolbar selection={selection} page={() => rows} nouns={nouns[list]} all={whole}>
          {controls}
        </SelectionToolbar>
      </div>
      <VirtualTable
        label={list === 'files' ? 'Files' : 'Folders'}
        columns={columns}
        rows={rows}
        rowKey={entryKey}
        stateOf={() => ''}
        isSelected={(entry) => isSelected(chosen, entry)}
        onSelect={select}
        onSelectNone={() => clear(selection)}
        isGone={({ deleted }) => deleted}
        groupOf={sort.field === 'duplicateSet' ? ({ identificationHash }) => identificationHash : undefined}
        before={(page - 1 + beyond.count) * size}
        total={all.count}
        sort={sort}
        onSort={(sort) => {
          saveSort(list, sort)
          changeSearch({ sort })
        }}
        onWidth={setWidth}
        onOpen={(entry) => openEntryDetails(entry, 'search', rows)}
        opened={useOpened()}
      />
    </>
  )
}

const none: Entry[] = []

/** True for a list of duplicates, whose contents may have been compared. */
export const showsContents = ({ filters, criteria }: SearchAddress): boolean =>
  filters.onlyDuplicates === true && criteria === undefined

/** Selection of results, kept across pages and cleared by another search. */
function useResultSelection(rows: readonly Entry[], searchKey: string): Selection {
  const [current, setCurrent] = useState(() => ({ searchKey, selection: newSelection() }))
  if (current.searchKey !== searchKey) setCurrent({ searchKey, selection: newSelection() })
  const { selection } = current
  useEffect(() => freshen(selection, rows), [selection, rows])
  return selection
}
