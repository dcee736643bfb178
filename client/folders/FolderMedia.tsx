import { Link } from 'wouter'
import { searchMedia } from '#events/media/found.ts'
import { noFilters } from '#events/search/filters.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import type { FolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import { coverageText, hoursText } from '#client/parts/media/mediaWords.ts'

/** Total duration of the media files below a folder, with a link to their charts. Hidden unless some were read. */
export function FolderMedia({ place: { volumeId, path } }: { place: FolderPlace }) {
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
