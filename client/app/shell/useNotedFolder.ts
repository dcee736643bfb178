import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useQuery } from '../address.ts'
import { noteFolder } from './recentFolders.state.ts'

/** Remembers the folder that File Management shows. */
export function useNotedFolder(): void {
  const [screen] = useLocation()
  const [query] = useQuery()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') ?? '/'
  const isFolder = screen === '/filemanagement' && Number.isInteger(volumeId) && volumeId > 0
  useEffect(() => {
    if (isFolder) noteFolder({ volumeId, path })
  }, [isFolder, volumeId, path])
}
