import { useLocation } from 'wouter'
import { type SnapshotDate, snapshotDates } from '#events/snapshots.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useQuery } from './address.ts'
import { useRemote } from './remote.ts'

/** Selects the newest known state of live storages, which is in no snapshot. It is a date in the URL. */
export const nowDate = 'now'

/** The selected time as parameters of a call: a day, or Now. */
export type TimeQuery = { indexingDate?: string | undefined; live?: 'true' }

type ActiveDate = {
  dates: Loadable<SnapshotDate[]>
  /** Selected snapshot: the newest on or before the date in the URL. For Now, the newest. */
  active: SnapshotDate | undefined
  isNewest: boolean
  isNow: boolean
  /** True if the screen can show Now. The others show the newest snapshot instead. */
  mayBeNow: boolean
  /** Parameter for API calls; undefined means the newest. */
  indexingDate: string | undefined
  /** The same for calls that accept Now. */
  at: TimeQuery
  choose: (date: string | undefined) => void
}

/** Screens whose calls accept Now. */
const screensWithNow = /^\/((search|filemanagement|map|storages)\/?)?$/

/** The snapshot selected in the URL. */
export function useActiveDate(): ActiveDate {
  const dates = useRemote(snapshotDates, {}, 'snapshots')
  const [query, changeQuery] = useQuery()
  const [screen] = useLocation()
  const mayBeNow = screensWithNow.test(screen)
  const isNow = mayBeNow && query.get('date') === nowDate
  // Now is after all days in alphabetical order.
  const active = snapshotOn(dates.data ?? [], query.get('date'))
  const isNewest = active === dates.data?.[0]
  const indexingDate = isNewest ? undefined : active?.indexingDate
  const at: TimeQuery = isNow ? { live: 'true' } : { indexingDate }
  const choose = (date: string | undefined) =>
    changeQuery((params) => {
      const isPast = date !== undefined && date !== dates.data?.[0]?.indexingDate
      if (isPast) params.set('date', date)
      else params.delete('date')
    })
  return { dates, active, isNewest, isNow, mayBeNow, indexingDate, at, choose }
}

/** Newest date on or before a day; without a day, the newest. `dates` are newest first. */
const snapshotOn = (dates: SnapshotDate[], day: string | null): SnapshotDate | undefined =>
  (day && dates.find(({ indexingDate }) => indexingDate <= day)) || dates[0]
