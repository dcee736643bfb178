import { useMemo } from 'react'
import { navigate } from '#client/app/place/navigate.ts'
import type { Difference, DifferencePage } from '#events/comparison.ts'
import { useLinks } from '#client/app/links.ts'
import { openEntryDetails, useOpened } from '#client/parts/entry-details/entryDetails.state.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { entryKey } from '#client/parts/selection/selection.ts'
import { fitColumns } from '#client/ui/table/chosenColumns.ts'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import type { ComparedPlace, ComparisonAddress, ChangeComparison } from './comparisonAddress.ts'
import { differenceColumns } from './differenceColumns.tsx'

const nouns = { files: ['file', 'files'], folders: ['folder', 'folders'] } satisfies Record<string, [string, string]>
const columns = { everything: differenceColumns(true), folder: differenceColumns(false) }

type DifferenceTableProps = {
  place: ComparedPlace
  previousDate: string
  address: ComparisonAddress
  changeComparison: ChangeComparison
  found: DifferencePage
}

/** A page of differences. Folders open their own comparison, files their details. */
export function DifferenceTable({ place, previousDate, address, changeComparison, found }: DifferenceTableProps) {
  const { list, sort } = address
  const { elements, page, size, total } = found
  const links = useLinks()
  const own = columns[place.volumeId === undefined ? 'everything' : 'folder']
  const shown = useMemo(() => fitColumns<Difference>(own, elements), [own, elements])
  const open = (entry: Difference) => {
    const { volumeId, path, isDirectory } = entry
    if (isDirectory) navigate(links.comparison({ volumeId, path, previousDate }))
    else openEntryDetails(entry, undefined, elements)
  }
  return (
    <>
      <VirtualTable
        label={list === 'files' ? 'Files that differ' : 'Folders that differ'}
        columns={shown}
        rows={elements}
        rowKey={entryKey}
        stateOf={({ kind }) => kind}
        before={(page - 1) * size}
        total={total}
        sort={sort}
        onSort={(sort) => changeComparison({ sort: sort as ComparisonAddress['sort'] })}
        onOpen={open}
        opened={useOpened()}
      />
      <div className="inset-line">
        <Pagination
          nouns={nouns[list]}
          page={page}
          size={size}
          total={total}
          onPage={(page) => changeComparison({ page })}
          onSize={(size) => changeComparison({ size })}
        />
      </div>
    </>
  )
}
