import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { filesOfFolder, foldersOfFolder } from '#events/browse.ts'
import type { EntryPage, EntrySummary } from '#events/entries.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useRemote } from '../app/remote.ts'
import { entryKey, type Selection } from '../parts/selection/selection.ts'
import { Failure } from '../ui/Failure.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { shown } from '../ui/shown.state.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { countText } from '../ui/text/count.ts'
import { EntryList, type EntryListProps } from './EntryList.tsx'
import { filesShown } from './files.state.ts'
import { Outdated } from '../ui/Outdated.tsx'
import { Sides } from './Sides.tsx'
import type { Place } from './usePlace.ts'
import classes from './Files.module.css'

type ListsModeProps = {
  place: Place & { volumeId: number }
  selection: Selection
  detailsOf: (entry: EntrySummary | undefined) => ReactNode
}

/** What lies directly in the folder, as two lists with pages. */
export function ListsMode({ place, selection, detailsOf }: ListsModeProps) {
  const folders = useFolders(place)
  const files = useFiles(place)
  const [shown, show] = useState<EntrySummary>()
  const fresh = shown && files.data?.elements.find((entry) => entryKey(entry) === entryKey(shown))
  const note = ({ data }: Loadable<EntryPage>) => data && countText(data.total)
  const listed = (list: 'folders' | 'files', found: Loadable<EntryPage>) => (
    <Listed list={list} found={found} place={place} selection={selection} onShow={show} />
  )
  return (
    <Sides details={detailsOf(fresh ?? shown)}>
      <div className={classes.lists}>
        <Tabs
          label="Content of the folder"
          shown={place.tab}
          onShow={(tab) => place.go({ tab, page: '1' })}
          tabs={[
            { key: 'folders', title: 'Folders', note: note(folders), content: listed('folders', folders) },
            { key: 'files', title: 'Files', note: note(files), content: listed('files', files) },
          ]}
        />
      </div>
    </Sides>
  )
}

type ListedProps = Omit<EntryListProps, 'found'> & { found: Loadable<EntryPage> }

function Listed({ found, ...props }: ListedProps) {
  const { data, error, loading, retry } = found
  if (!data) return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={8} isInset />
  return (
    <>
      {error && !loading && <Outdated error={error} retry={retry} />}
      <EntryList found={data} {...props} />
    </>
  )
}

function useOrder(list: 'folders' | 'files', { volumeId, tab, page }: ListsModeProps['place']) {
  const settings = useSnapshot(filesShown)
  const { indexingDate } = useActiveDate()
  const { field, direction } = settings[list]
  return {
    volumeId: [volumeId],
    indexingDate,
    size: settings.size,
    page: tab === list ? page : 1,
    sort: field,
    direction,
  }
}

function useFolders(place: ListsModeProps['place']) {
  const { hidden } = useSnapshot(shown)
  const query = { ...useOrder('folders', place), path: place.path, showHiddenDirectories: hidden ? 'true' : 'false' }
  return useRemote(foldersOfFolder, { query }, 'snapshots', 'tags')
}

const useFiles = (place: ListsModeProps['place']) =>
  useRemote(filesOfFolder, { query: { ...useOrder('files', place), directoryPath: place.path } }, 'snapshots', 'tags')
