import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import { folderDetails } from '#events/folders/calls.ts'
import type { Volume } from '#events/snapshots.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { CallError } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Breadcrumb } from '#client/parts/breadcrumb/Breadcrumb.tsx'
import type { Price } from '#client/parts/cost/CostCell.tsx'
import { newSelection } from '#client/parts/selection/selection.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { TagsDialog } from '#client/parts/tags/TagsDialog.tsx'
import { LiveButton } from '#client/parts/storages/LiveBadge.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { DetailsPanel } from './DetailsPanel.tsx'
import { filesShown } from './files.state.ts'
import { FolderActions } from './FolderActions.tsx'
import { PriceOfTree } from './tree/TreeCost.tsx'
import { TreeMode } from './TreeMode.tsx'
import { useMeantFolder } from './useMeantFolder.ts'
import { type Place, useFolderLink } from './usePlace.ts'

const ListsMode = lazy(() => import('./ListsMode.tsx').then((m) => ({ default: m.ListsMode })))

/** A folder as a tree or as two lists. */
export function FolderPage({ place }: { place: Place & { volumeId: number } }) {
  const { volumeId, path } = place
  const { mode } = useSnapshot(filesShown)
  const linkTo = useFolderLink()
  const [selection] = useState(newSelection)
  const [tagged, tag] = useState<EntrySummary>()
  const volume = useVolume(volumeId)
  const price: Price = { ...volume, data: volume.data?.storagePrice }
  const folder = useFolder(place)
  const detailsOf = (entry: EntrySummary | undefined) => (
    <DetailsPanel entry={entry} path={path} folder={folder} volume={volume} price={price} />
  )
  return (
    <Page
      title="File Management"
      actions={<FolderActions place={place} />}
      tabs={
        <div className="row gap-8">
          <Breadcrumb
            volumeId={volumeId}
            volume={volume.data ? volumeName(volume.data) : ''}
            path={path}
            linkTo={(path) => linkTo(path, volumeId)}
          />
          <LiveButton volumeId={volumeId} />
        </div>
      }
    >
      {mode === 'tree' ? (
        <PriceOfTree value={price}>
          <TreeMode
            place={place}
            selection={selection}
            rootSize={folder.data?.size}
            detailsOf={detailsOf}
            onTags={tag}
          />
        </PriceOfTree>
      ) : (
        <Suspense fallback={<Skeleton rows={12} isInset />}>
          <ListsMode place={place} selection={selection} detailsOf={detailsOf} />
        </Suspense>
      )}
      <TagsDialog entry={tagged} onClose={() => tag(undefined)} />
    </Page>
  )
}

/** Volume of the snapshot; null if it has no such volume. */
function useVolume(volumeId: number): Loadable<Volume | null> {
  const volumes = useVolumes()
  const { data } = volumes
  return { ...volumes, data: data && (data.elements.find(({ id }) => id === volumeId) ?? null) }
}

function useFolder(place: Place & { volumeId: number }) {
  const { volumeId, path } = place
  const { at } = useActiveDate()
  const query = { path, storageId: volumeId, size: 0, ...at }
  const folder = useRemote(folderDetails, { query }, 'snapshots', 'tags')
  const isMissing = folder.error instanceof CallError && (folder.error.status === 404 || folder.error.status === 400)
  const isSought = useMeantFolder(place, isMissing)
  useFailureToast(isSought ? undefined : folder.error)
  return folder
}
