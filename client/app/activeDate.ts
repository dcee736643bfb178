import { type SnapshotDate, snapshotDates } from '#events/snapshots.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useQuery } from './address.ts'
import { useRemote } from './remote.ts'

type ActiveDate = {
  dates: Loadable<SnapshotDate[]>
  /** Selected snapshot: the newest on or before the date in the URL. */
  active: SnapshotDate | undefined
  isNewest: boolean
  /** Parameter for API calls; undefined means the newest. */
  indexingDate: string | undefined
  choose: (date: string | undefined) => void
}

/** The snapshot selected in the URL. */
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

/** Newest date on or before a day; without a day, the newest. `dates` are newest first. */
const snapshotOn = (dates: SnapshotDate[], day: string | null): SnapshotDate | undefined =>
  (day && dates.find(({ indexingDate }) => indexingDate <= day)) || dates[0]
