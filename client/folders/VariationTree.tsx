import { navigate } from '#client/app/place/navigate.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { openEntryDetails } from '#client/parts/entry-details/entryDetails.state.ts'
import { copyPath } from '#client/parts/entry-text/EntryPath.tsx'
import { FolderTree } from '#client/parts/folder-tree/FolderTree.tsx'
import { reload, useTreeStore } from '#client/parts/folder-tree/treeStore.ts'
import { ChangeBar } from '#client/ui/charts/ChangeBar.tsx'
import { StaleNotice } from '#client/ui/feedback/StaleNotice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { PreviousDateChoice } from '#client/parts/previous-date/usePreviousDate.ts'
import { SizeChange } from '#client/parts/folder-tree/SizeChange.tsx'
import type { TreeColumn } from '#client/parts/folder-tree/treeColumn.ts'
import type { FolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import classes from './Folders.module.css'

type VariationTreeProps = {
  place: FolderPlace
  /** Size of the folder in bytes. */
  size: number | undefined
  compared: PreviousDateChoice
  linkTo: (path: string) => string
}

/** Contents of the folder, sorted by change since the previous date. */
export function VariationTree({ compared, ...props }: VariationTreeProps) {
  const { areKnown, date } = compared
  return (
    <div className={classes.tree}>
      <Panel title="Variation" note={date && `Since ${date}`}>
        {areKnown ? <Compared {...props} previousDate={date} /> : <Skeleton />}
      </Panel>
    </div>
  )
}

type ComparedProps = Omit<VariationTreeProps, 'compared'> & { previousDate: string | undefined }

function Compared({ place: { volumeId, path }, size, previousDate, linkTo }: ComparedProps) {
  const { indexingDate } = useActiveDate()
  const sort = previousDate === undefined ? 'size' : 'absoluteDelta'
  const query = { volumeId, at: { indexingDate }, previousDate, showsHidden: true, sort, direction: 'desc' as const }
  const store = useTreeStore(path, query)
  return (
    <>
      {store.outdated && <StaleNotice error={store.outdated} retry={() => reload(store, store.query)} />}
      <FolderTree
        store={store}
        rootSize={size}
        column={previousDate === undefined ? undefined : variationColumn}
        actions={{
          onOpen: (entry) => (entry.isDirectory ? navigate(linkTo(entry.path)) : openEntryDetails(entry)),
          onAction: (action, entry) => (action === 'copy' ? void copyPath(entry.fullPath) : openEntryDetails(entry)),
        }}
      />
    </>
  )
}

/** Change of each entry relative to its siblings, as a bar: right for growth, left for shrinkage. */
const variationColumn: TreeColumn = {
  key: 'absoluteDelta',
  title: 'VARIATION',
  hint: 'Change in size between the previous date and the active date, largest first',
  sortable: false,
  isOfChanges: true,
  cell: (entry, max) => (
    <SizeChange
      entry={entry}
      bar={<ChangeBar share={Math.abs(entry.delta ?? 0) / Math.max(1, max)} className={classes.variation} />}
    />
  ),
}
