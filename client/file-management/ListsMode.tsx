import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { partOfFolder, type PartOfFolder } from '#events/folders/browse.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { entryKey, type Selection } from '#client/parts/selection/selection.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { displayOptions } from '#client/ui/values/displayOptions.state.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Tabs } from '#client/ui/Tabs.tsx'
import { countText } from '#client/ui/text/count.ts'
import { StaleNotice } from '#client/ui/feedback/StaleNotice.tsx'
import { EntryList, type EntryListProps } from './EntryList.tsx'
import { filesShown } from './files.state.ts'
import { DetailsLayout } from './DetailsLayout.tsx'
import type { Place } from './usePlace.ts'
import classes from './Files.module.css'

type ListsModeProps = {
  place: Place & { volumeId: number }
  selection: Selection
  detailsOf: (entry: EntrySummary | undefined) => ReactNode
}

/** Contents of a folder as two paged lists. */
export function ListsMode({ place, selection, detailsOf }: ListsModeProps) {
  const folders = usePart('folders', place)
  const files = usePart('files', place)
  const [shown, show] = useState<EntrySummary>()
  const fresh = shown && files.data?.elements.find((entry) => entryKey(entry) === entryKey(shown))
  const note = ({ data }: Loadable<SummaryPage>) => data && countText(data.total)
  const listed = (list: PartOfFolder, found: Loadable<SummaryPage>) => (
    <Listed list={list} found={found} place={place} selection={selection} onShow={show} />
  )
  return (
    <DetailsLayout details={detailsOf(fresh ?? shown)}>
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
    </DetailsLayout>
  )
}

type ListedProps = Omit<EntryListProps, 'found'> & { found: Loadable<SummaryPage> }

function Listed({ found, ...props }: ListedProps) {
  const { data, error, loading, retry } = found
  if (!data) return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={8} isInset />
  return (
    <>
      {error && !loading && <StaleNotice error={error} retry={retry} />}
      <EntryList found={data} {...props} />
    </>
  )
}

function usePart(part: PartOfFolder, { volumeId, path, tab, page }: ListsModeProps['place']) {
  const settings = useSnapshot(filesShown)
  const { hidden } = useSnapshot(displayOptions)
  const { at } = useActiveDate()
  const { field, direction } = settings[part]
  const query = {
    volumeId: [volumeId],
    path,
    showHiddenDirectories: hidden ? 'true' : 'false',
    size: settings.size,
    page: tab === part ? page : 1,
    sort: field,
    direction,
    ...at,
  }
  return useRemote(partOfFolder, { params: { part }, query }, 'snapshots', 'tags')
}
