import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { mapOfFolder } from '#events/map.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'
import { mapSettings } from './mapSettings.state.ts'

/** The date that growth is counted from, and those that there are before the one that is shown, newest first. */
export type Compared = { dates: string[]; date: string | undefined; choose: (date: string) => void }

type Asked = { volumeId: number; path: string; indexingDate: string | undefined }

/** The map of a folder, beside an earlier date where colours mean growth. */
export function useFolderMap({ volumeId, path, indexingDate }: Asked) {
  const { colour } = useSnapshot(mapSettings)
  const { dates, active } = useActiveDate()
  const shown = indexingDate ?? active?.indexingDate ?? ''
  const earlier = (dates.data ?? []).flatMap(({ indexingDate: date }) => (date < shown ? [date] : []))
  const [chosen, choose] = useState<string>()
  const date = earlier.find((date) => date === chosen) ?? earlier[0]
  const query = {
    storageId: volumeId,
    path,
    ...(indexingDate !== undefined && { indexingDate }),
    ...(colour === 'growth' && date !== undefined && { previousDate: date }),
  }
  const remote = useRemote(mapOfFolder, { query }, 'snapshots')
  const compared: Compared | undefined = colour === 'growth' ? { dates: earlier, date, choose } : undefined
  return { remote, compared }
}
