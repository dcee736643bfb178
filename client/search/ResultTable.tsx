import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Entry } from '#events/entries.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { session, userMay } from '../app/session.state.ts'
import { openEntryDetails } from '../parts/entry-details/entryDetails.state.ts'
import { Pagination } from '../parts/pagination/Pagination.tsx'
import { SelectionToolbar } from '../parts/selection/SelectionToolbar.tsx'
import { type Found, type Selection, clear, entryKey, isSelected } from '../parts/selection/selection.ts'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { keepSize, keepSort } from './listOrder.state.ts'
import { resultColumns } from './resultColumns.tsx'
import { type SearchAddress, searchedBy } from './searchAddress.ts'
import type { FoundResults } from './useFound.ts'
import { usePicking } from './usePicking.ts'
import type { GoSearch } from './useSearchAddress.ts'
import classes from './Results.module.css'

const words = { files: ['file', 'files'], folders: ['folder', 'folders'] } satisfies Record<string, [string, string]>

type ResultTableProps = {
  address: SearchAddress
  go: GoSearch
  results: FoundResults
  onTags: (entry: Entry) => void
}

/** A page of results: what is selected of them, the rows, and the way to other pages. */
export function ResultTable({ address, go, results, onTags }: ResultTableProps) {
  const { list, page, size, found } = results
  const total = found.data?.total ?? 0
  // The sums of filters are those of files.
  const totalSize = list === 'files' || address.criteria !== undefined ? results.totals.data?.size : undefined
  return (
    <div className={classes.list}>
      <Rows address={address} go={go} results={results} onTags={onTags} all={{ count: total, size: totalSize ?? -1 }} />
      <div className={classes.pages}>
        <Pagination
          words={words[list]}
          page={page}
          size={size}
          total={total}
          totalSize={totalSize}
          onPage={(page) => go({ page })}
          onSize={(size) => {
            keepSize(size)
            go({ size })
          }}
        />
      </div>
    </div>
  )
}

function Rows({ address, go, results, onTags, all }: ResultTableProps & { all: Found }) {
  const { list, page, size, sort, found, indexingDate } = results
  const rows = found.data?.elements ?? none
  const question = JSON.stringify([list, address.words, address.criteria, indexingDate])
  const { selection, pick } = usePicking(rows, question)
  const chosen = useSnapshot(selection) as Selection
  const tags = useMayTag() ? onTags : undefined
  const columns = useMemo(
    () => resultColumns(list, { selection, onSelect: pick, onTags: tags }),
    [list, selection, pick, tags],
  )
  const whole = { found: all, search: { ...searchedBy(address), indexingDate }, isDirectory: list === 'folders' }
  return (
    <>
      <div className={classes.toolbar}>
        <SelectionToolbar selection={selection} page={() => rows} words={words[list]} all={whole} />
      </div>
      <VirtualTable
        label={list === 'files' ? 'Files' : 'Folders'}
        columns={columns}
        rows={rows}
        rowKey={entryKey}
        stateOf={() => ''}
        isSelected={(entry) => isSelected(chosen, entry)}
        onSelect={pick}
        onSelectNone={() => clear(selection)}
        isGone={({ deleted }) => deleted}
        before={(page - 1) * size}
        total={all.count}
        sort={sort}
        onSort={(sort) => {
          keepSort(list, sort)
          go({ sort })
        }}
        onOpen={(entry) => openEntryDetails(entry, 'search')}
      />
    </>
  )
}

const none: Entry[] = []

function useMayTag(): boolean {
  const { user } = useSnapshot(session)
  const { isNewest } = useActiveDate()
  return isNewest && userMay(user as typeof session.user, 'entries.tag')
}
