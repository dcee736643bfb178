import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Entry } from '#events/entries.ts'
import { folderDetails } from '#events/folders.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useRemote } from '../app/remote.ts'
import { Breadcrumb } from '../parts/breadcrumb/Breadcrumb.tsx'
import { newSelection } from '../parts/selection/selection.ts'
import { Page } from '../ui/Page.tsx'
import { DetailsPanel } from './DetailsPanel.tsx'
import { filesShown } from './files.state.ts'
import { FolderActions } from './FolderActions.tsx'
import { ListsMode } from './ListsMode.tsx'
import { TagsDialog } from '../parts/tags/TagsDialog.tsx'
import { TreeMode } from './TreeMode.tsx'
import type { Place } from './usePlace.ts'
import { useFolderLink } from './useFolderLink.ts'
import { useVolumes } from '../parts/storages/useVolumes.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'

/** A folder of a volume, as a tree or as two lists. */
export function FolderPage({ place }: { place: Place & { volumeId: number } }) {
  const { volumeId, path } = place
  const { mode } = useSnapshot(filesShown)
  const linkTo = useFolderLink()
  const [selection] = useState(newSelection)
  const [tagged, tag] = useState<Entry>()
  const volume = useVolumes().data?.elements.find(({ id }) => id === volumeId)
  const folder = useFolder(place)
  const detailsOf = (entry: Entry | undefined) => (
    <DetailsPanel entry={entry} path={path} folder={folder} volume={volume} />
  )
  return (
    <Page
      title="File Management"
      actions={<FolderActions place={place} />}
      tabs={
        <Breadcrumb
          volumeId={volumeId}
          volume={volume ? volumeName(volume) : ''}
          path={path}
          linkTo={(path) => linkTo(path, volumeId)}
        />
      }
    >
      {mode === 'tree' ? (
        <TreeMode
          place={place}
          selection={selection}
          rootSize={folder.data?.size}
          price={volume?.storagePrice}
          detailsOf={detailsOf}
          onTags={tag}
        />
      ) : (
        <ListsMode place={place} selection={selection} detailsOf={detailsOf} />
      )}
      <TagsDialog entry={tagged} onClose={() => tag(undefined)} />
    </Page>
  )
}

function useFolder({ volumeId, path }: { volumeId: number; path: string }) {
  const { indexingDate } = useActiveDate()
  return useRemote(folderDetails, { query: { path, storageId: volumeId, indexingDate, size: 0 } }, 'snapshots', 'tags')
}
