import { navigate } from 'wouter/use-browser-location'
import { useActiveDate } from '../app/activeDate.ts'
import { openEntryDetails } from '../parts/entry-details/entryDetails.state.ts'
import { copyPath } from '../parts/entry-text/EntryPath.tsx'
import { FolderTree } from '../parts/folder-tree/FolderTree.tsx'
import { askAnew } from '../parts/folder-tree/treeStore.ts'
import { useTreeStore } from '../parts/folder-tree/useTreeStore.ts'
import { Outdated } from '../ui/Outdated.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { FolderPlace } from './folderPlace.ts'
import { PreviousDate } from '../parts/previous-date/PreviousDate.tsx'
import type { PreviousDates } from '../parts/previous-date/usePreviousDate.ts'
import { variationColumn } from './variationColumn.tsx'
import classes from './Folders.module.css'

type VariationTreeProps = {
  place: FolderPlace
  /** Bytes of the folder. */
  size: number | undefined
  compared: PreviousDates
  linkTo: (path: string) => string
}

/** What lies in the folder, by how much it changed since the previous date. */
export function VariationTree({ compared, ...props }: VariationTreeProps) {
  const { areKnown, date } = compared
  return (
    <div className={classes.tree}>
      <Panel title="Variation" actions={<PreviousDate {...compared} />}>
        {areKnown ? <Compared {...props} previousDate={date} /> : <Skeleton />}
      </Panel>
    </div>
  )
}

type ComparedProps = Omit<VariationTreeProps, 'compared'> & { previousDate: string | undefined }

function Compared({ place: { volumeId, path }, size, previousDate, linkTo }: ComparedProps) {
  const { indexingDate } = useActiveDate()
  const sort = previousDate === undefined ? 'size' : 'absoluteDelta'
  const asked = { volumeId, indexingDate, previousDate, showsHidden: true, sort, direction: 'desc' as const }
  const store = useTreeStore(path, asked)
  return (
    <>
      {store.outdated && <Outdated error={store.outdated} retry={() => askAnew(store, store.asked)} />}
      <FolderTree
        store={store}
        rootSize={size}
        column={previousDate === undefined ? undefined : variationColumn}
        deeds={{
          onOpen: (entry) => (entry.isDirectory ? navigate(linkTo(entry.path)) : openEntryDetails(entry)),
          onDeed: (deed, entry) => (deed === 'copy' ? void copyPath(entry.path) : openEntryDetails(entry)),
        }}
      />
    </>
  )
}
