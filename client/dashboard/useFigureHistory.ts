import { figureHistory } from '#events/overview/history.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'

/** Figures of the last 30 days for some storages, or for all. Empty until loaded, and if they can't be read. */
export function useFigureHistory(volumeId: number[] | undefined) {
  const { indexingDate } = useActiveDate()
  const isEmpty = volumeId?.length === 0
  const query = {
    ...(volumeId && { storageId: volumeId }),
    ...(indexingDate !== undefined && { indexingDate }),
  }
  const { data } = useRemote(figureHistory, isEmpty ? undefined : { query }, 'snapshots', 'dashboard')
  return (!isEmpty && data) || []
}
