import { Button } from '@mantine/core'
import { folderByPath } from '#events/folders/browse.ts'
import { readPlace, type SearchFilters, writePlace } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { visible } from '#client/ui/text/visible.ts'
import type { ChangeSearch } from '#client/parts/searched/searchAddress.ts'

type ClosestFolderProps = { filters: SearchFilters; volumes: readonly Volume[]; changeSearch: ChangeSearch }

/** For a search without results: offers the closest folder if its folder does not exist. */
export function ClosestFolder({ filters, volumes, changeSearch }: ClosestFolderProps) {
  const typed = typedFolder(filters)
  const { at } = useActiveDate()
  const query = typed && { path: typed.path, storageId: typed.storages, ...at }
  const { data } = useRemote(folderByPath, query && { query }, 'snapshots')
  if (!typed || !data || data.exists) return null
  const { folder } = data
  return (
    <span className="block">
      The folder {visible(typed.path)} does not exist.{' '}
      {folder && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => changeSearch({ params: { startingPath: [], storageAndPath: [writePlace(folder)] } })}
        >
          Search in {volumes.find(({ id }) => id === folder.volumeId)?.name}:{visible(folder.path)}
        </Button>
      )}
    </span>
  )
}

/** The only folder of a search, and its storages; an empty list means all. */
function typedFolder({ startingPath, storageAndPath, volumeId }: SearchFilters) {
  const [place, ...others] = storageAndPath.map(readPlace)
  if (place === undefined) return startingPath === undefined ? undefined : { path: startingPath, storages: volumeId }
  return others.length > 0 || startingPath !== undefined ? undefined : { path: place.path, storages: [place.volumeId] }
}
