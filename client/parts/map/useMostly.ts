import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { type DominantField, dominantBelow, type FolderMap } from '#events/map.ts'
import { useRemote } from '../../app/remote.ts'
import type { ColourBy } from './colouring.ts'
import { mapSettings } from './mapSettings.state.ts'
import type { Mostly } from './mostly.ts'

type Asked = { volumeId: number; path: string; indexingDate: string | undefined }

const fields: Partial<Record<ColourBy, DominantField>> = { type: 'extension', owner: 'owner' }

/**
 * What the folders of a map mostly consist of, where colours tell that; it takes longer than the map, so it is asked once
 * that is there. What was known of the same day before a zoom stays in sight.
 */
export function useMostly({ volumeId, path, indexingDate }: Asked, map: FolderMap | undefined) {
  const { colour } = useSnapshot(mapSettings)
  const by = fields[colour]
  const isAsked = map?.path === path && map.entries.some(isFolderInIt)
  const query = by && { storageId: volumeId, path, by, ...(indexingDate !== undefined && { indexingDate }) }
  const remote = useRemote(dominantBelow, query && isAsked ? { query } : undefined, 'snapshots')
  const { data, loading, retry } = remote
  const error = query && isAsked && !loading ? remote.error : undefined
  const mostly = useMemo((): Mostly | undefined => {
    const isOfMap = data?.storageId === volumeId && data.by === by && data.indexingDate === map?.indexingDate
    const told = isOfMap ? data : undefined
    const folders = new Map(told?.folders.map((folder) => [folder.path, folder]))
    const state = told && told.path === map?.path ? 'read' : error ? 'failed' : 'reading'
    return by && { by, folders, state }
  }, [data, volumeId, by, map, error])
  return { mostly, error, loading, retry }
}

const isFolderInIt = ({ isDirectory, folder }: FolderMap['entries'][number]) => isDirectory && folder !== null
