import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { type DominantField, dominantBelow, type FolderMap } from '#events/folders/map.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import type { ColourBy } from './colouring.ts'
import { mapSettings } from './mapSettings.state.ts'
import type { DominantValues } from './mapWords.ts'

type MapQuery = { volumeId: number; path: string; at: TimeQuery }

const fields: Partial<Record<ColourBy, DominantField>> = { type: 'extension', owner: 'owner', age: 'age' }

/**
 * Largest type, owner or age of each folder, if the colors need it. Slower than the map, so it loads afterwards. After
 * a zoom, values of the same date stay until the new ones arrive.
 */
export function useDominantValues({ volumeId, path, at }: MapQuery, map: FolderMap | undefined) {
  const { colour } = useSnapshot(mapSettings)
  const by = fields[colour]
  const isNeeded = map?.path === path && map.entries.some(by === 'age' ? isInIt : isFolderInIt)
  const query = by && { storageId: volumeId, path, by, ...at }
  const remote = useRemote(dominantBelow, query && isNeeded ? { query } : undefined, 'snapshots')
  const { data, loading, retry } = remote
  const error = query && isNeeded && !loading ? remote.error : undefined
  const dominants = useMemo((): DominantValues | undefined => {
    const isOfMap = data?.storageId === volumeId && data.by === by && data.indexingDate === map?.indexingDate
    const known = isOfMap ? data : undefined
    const folders = new Map(known?.folders.map((folder) => [folder.path, folder]))
    const state = known && known.path === map?.path ? 'read' : error ? 'failed' : 'reading'
    return by && { by, folders, state }
  }, [data, volumeId, by, map, error])
  return { dominants, error, loading, retry }
}

/** The legend of ages includes entries that are too small to be drawn. */
const isInIt = ({ folder }: FolderMap['entries'][number]) => folder !== null
const isFolderInIt = ({ isDirectory, folder }: FolderMap['entries'][number]) => isDirectory && folder !== null
