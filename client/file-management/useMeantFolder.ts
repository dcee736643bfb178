import { folderByPath } from '#events/folders/browse.ts'
import { useEffect } from 'react'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Place } from './usePlace.ts'

/**
 * Leads from a path that no folder has to the folder that it means: a full path, as lists show and copy it, or one in another case. Returns
 * true while it is looked up.
 */
export function useMeantFolder(place: Place, isMissing: boolean): boolean {
  const { volumeId, path, go } = place
  const { at } = useActiveDate()
  const query = isMissing ? { path, ...at, storageId: volumeId === undefined ? [] : [volumeId] } : undefined
  const { data, loading } = useRemote(folderByPath, query && { query }, 'snapshots')
  const found = isMissing && data?.exists ? data.folder : null
  const folder = found?.path === path && found.volumeId === volumeId ? null : found
  useEffect(() => {
    if (folder) go({ path: folder.path, volumeId: String(folder.volumeId) })
  })
  return isMissing && (loading || folder !== null)
}
