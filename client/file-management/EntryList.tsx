import { IconFolderOff } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import type { PartOfFolder } from '#events/folders/browse.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { clear, entryKey, freshen, isSelected, type Selection } from '#client/parts/selection/selection.ts'
import { useRowSelect } from '#client/parts/selection/useRowSelect.ts'
import { SelectionToolbar } from '#client/parts/actions/SelectionToolbar.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { DisplayToggles } from '#client/ui/table/DisplayToggles.tsx'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import { choosePageSize, filesShown, sortList } from './files.state.ts'
import { listColumns } from './listColumns.tsx'
import { useFolderLink, type Place } from './usePlace.ts'
import classes from './Files.module.css'

const nouns = { folders: ['folder', 'folders'], files: ['file', 'files'] } satisfies Record<string, [string, string]>

export type EntryListProps = {
  list: PartOfFolder
  found: SummaryPage
  place: Place & { volumeId: number }
  selection: Selection
  onShow: (entry: EntrySummary) => void
}

/** A page of folders or files. A click opens a folder or shows a file. */
export function EntryList(props: EntryListProps) {
  const { list, found, place } = props
  const go = (page: number) => place.go({ page: String(page) })
  const none = list === 'folders' ? 'No folder found' : 'No files found'
  if (found.total === 0) return <Notice icon={IconFolderOff}>{none}</Notice>
  return (
    <>
      <Rows {...props} go={go} />
      <div className="inset-line">
        <Pagination
          nouns={nouns[list]}
          page={found.page}
          size={found.size}
          total={found.total}
          onPage={go}
          onSize={(size) => {
            choosePageSize(size)
            go(1)
          }}
        />
      </div>
    </>
  )
}

function Rows({ list, found, selection, onShow, go }: EntryListProps & { go: (page: number) => void }) {
  const { elements, page, size, total } = found
  const settings = useSnapshot(filesShown)
  const chosen = useSnapshot(selection) as Selection
  const select = useRowSelect(elements, selection)
  const columns = useMemo(() => listColumns(list, selection, select), [list, selection, select])
  const [, navigate] = useLocation()
  const linkTo = useFolderLink()
  useEffect(() => freshen(selection, elements), [selection, elements])
  return (
    <>
      <SelectionToolbar selection={selection} page={() => elements} nouns={nouns[list]}>
        <div className={`row wrap push gap-8 ${classes.controls}`}>
          <DisplayToggles />
        </div>
      </SelectionToolbar>
      <VirtualTable
        label={list === 'folders' ? 'Folders' : 'Files'}
        columns={columns}
        rows={elements}
        rowKey={entryKey}
        stateOf={stateless}
        isSelected={(entry) => isSelected(chosen, entry)}
        onSelect={select}
        onSelectNone={() => clear(selection)}
        before={(page - 1) * size}
        total={total}
        sort={settings[list]}
        onSort={(sort) => {
          sortList(list, sort)
          go(1)
        }}
        onOpen={(entry) => {
          const { path, volumeId } = entry
          if (entry.isDirectory) navigate(linkTo(path, volumeId))
          else onShow(entry)
        }}
      />
    </>
  )
}

const stateless = () => ''
