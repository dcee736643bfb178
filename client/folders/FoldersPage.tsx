import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { folderHistory } from '#events/folders/calls.ts'
import { useQuery } from '#client/app/address.ts'
import { NoFolder } from '#client/parts/folder-place/NoFolder.tsx'
import { Page } from '#client/ui/Page.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Breadcrumb } from '#client/parts/breadcrumb/Breadcrumb.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { PreviousDate } from '#client/parts/previous-date/PreviousDate.tsx'
import { usePreviousDate } from '#client/parts/previous-date/usePreviousDate.ts'
import { type FolderPlace, readFolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import { SizeVariationCard } from './SizeVariationCard.tsx'
import { SummaryCard } from './SummaryCard.tsx'
import { TimelineCard } from './TimelineCard.tsx'
import { VariationTree } from './VariationTree.tsx'
import { searchMedia } from '#events/media/found.ts'
import { noFilters } from '#events/search/filters.ts'
import { coverageText, hoursText } from '#client/parts/media/mediaWords.ts'

const title = 'Folder analytics'

/** History of the folder in the URL. */
export function FoldersPage() {
  const [query] = useQuery()
  const place = readFolderPlace(query)
  if (!place)
    return (
      <Page title={title}>
        <NoFolder />
      </Page>
    )
  return <FolderAnalytics key={`${place.volumeId} ${place.path}`} place={place} />
}

/** A folder compared with an earlier date, and in every snapshot. */
function FolderAnalytics({ place }: { place: FolderPlace }) {
  const { volumeId, path } = place
  const links = useLinks()
  const { active } = useActiveDate()
  const compared = usePreviousDate()
  const history = useRemote(folderHistory, { query: { path, volumeId } }, 'snapshots')
  useFailureToast(history.error)
  const now = history.data?.find(({ indexingDate }) => indexingDate === active?.indexingDate)
  const isGone = active && history.data && history.data.length > 0 && !now
  const volume = useVolumes().data?.elements.find(({ id }) => id === volumeId)
  const linkTo = (path: string) => links.folders({ volumeId, path, previousDate: compared.requested })
  const comparedPlace = { volumeId, path, previousDate: compared.date }
  return (
    <Page
      title={title}
      leading={isGone && <Chip tone="critical">Not in this snapshot</Chip>}
      actions={
        <>
          <PreviousDate {...compared} />
          <Button component={Link} href={links.comparison(comparedPlace)} variant="default">
            Compare
          </Button>
          <Button component={Link} href={links.fileManagement({ volumeId, path })} variant="default">
            File Management
          </Button>
        </>
      }
      tabs={<Breadcrumb volumeId={volumeId} volume={volume ? volumeName(volume) : ''} path={path} linkTo={linkTo} />}
    >
      {history.data?.length === 0 ? (
        <NoFolder />
      ) : (
        <div className="stack in-order gap-12">
          <SummaryCard place={place} history={history.data ?? []} />
          <FolderMedia place={place} />
          <SizeVariationCard place={place} history={history} />
          <div className="halves start">
            <VariationTree place={place} size={now?.size} compared={compared} linkTo={linkTo} />
            <TimelineCard history={history} />
          </div>
        </div>
      )}
    </Page>
  )
}

/** Total duration of the media files below a folder, with a link to their charts. Hidden unless some were read. */
function FolderMedia({ place: { volumeId, path } }: { place: FolderPlace }) {
  const links = useLinks()
  const { at } = useActiveDate()
  const query = { ...noFilters, volumeId: [volumeId], startingPath: path, ...at }
  const { data } = useRemote(searchMedia, { query }, 'snapshots')
  if (!data?.read) return null
  return (
    <p>
      {hoursText(data.duration)} of media, {coverageText(data)}.{' '}
      <Link href={links.search({ volumeId: [String(volumeId)], startingPath: path, activeTab: 2 })}>
        Charts by codec, resolution and camera
      </Link>
    </p>
  )
}
