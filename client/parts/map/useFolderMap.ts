import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { mapOfFolder } from '#events/folders/map.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useEarlierDates, useMonthBefore } from '#client/parts/previous-date/usePreviousDate.ts'
import { mapSettings } from './mapSettings.state.ts'

/** Date to compare with for growth, and the available earlier dates, newest first. */
export type GrowthBaseline = { dates: string[]; date: string | undefined; choose: (date: string) => void }

type MapQuery = { volumeId: number; path: string; at: TimeQuery }

/** Map of a folder, compared with an earlier date if the colors show growth. */
export function useFolderMap({ volumeId, path, at }: MapQuery) {
  const { colour } = useSnapshot(mapSettings)
  const earlier = useEarlierDates()
  const month = useMonthBefore()
  const [chosen, choose] = useState<string>()
  const date = earlier.find((date) => date === chosen) ?? month
  const query = {
    storageId: volumeId,
    path,
    // Only days are compared.
    ...(colour === 'growth' ? { indexingDate: at.indexingDate, previousDate: date } : at),
  }
  const remote = useRemote(mapOfFolder, { query }, 'snapshots')
  const compared: GrowthBaseline | undefined = colour === 'growth' ? { dates: earlier, date, choose } : undefined
  return { remote, compared }
}
