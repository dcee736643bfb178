import { type SnapshotDate, snapshotDates } from '#events/snapshots.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useQuery } from './address.ts'
import { useRemote } from './remote.ts'

type ActiveDate = {
  dates: Loadable<SnapshotDate[]>
  /** The snapshot that is looked at: the newest on or before the date of the address. */
  active: SnapshotDate | undefined
  isNewest: boolean
  /** What calls pass on; undefined asks for the newest. */
  indexingDate: string | undefined
  choose: (date: string | undefined) => void
}

/** The snapshot that the page shows, as its address names it. */
export function useActiveDate(): ActiveDate {
  const dates = useRemote(snapshotDates, {}, 'snapshots')
  const [query, changeQuery] = useQuery()
  const active = snapshotOn(dates.data ?? [], query.get('date'))
  const isNewest = active === dates.data?.[0]
  const choose = (date: string | undefined) =>
    changeQuery((params) => {
      const isPast = date !== undefined && date !== dates.data?.[0]?.indexingDate
      if (isPast) params.set('date', date)
      else params.delete('date')
    })
  return { dates, active, isNewest, indexingDate: isNewest ? undefined : active?.indexingDate, choose }
}

/** The newest of the dates (newest first) on or before a day; without one, the newest of all. */
const snapshotOn = (dates: SnapshotDate[], day: string | null): SnapshotDate | undefined =>
  (day && dates.find(({ indexingDate }) => indexingDate <= day)) || dates[0]
