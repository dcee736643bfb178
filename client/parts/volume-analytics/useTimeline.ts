import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { type ChosenTimeWindow, type TimeWindow, useTimeWindow } from '#client/parts/time-window/timeWindow.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

export type Timeline = {
  timeWindow: ChosenTimeWindow
  /** Snapshots of the days, oldest first. */
  points: Loadable<DetailedVolume[]>
  /** Selects the snapshot of a day. */
  openDay: (day: string) => void
}

/** Newest snapshots of the period, without file statistics. */
export const timelineInput = (id: number, { from, to }: TimeWindow) => ({
  params: { id },
  query: { from, to, size: 1_000, sort: 'indexingDate', direction: 'desc', statistics: 'false' } as const,
})

/** History of a storage over the days in the URL. */
export function useTimeline({ id, indexingDate }: DetailedVolume): Timeline {
  const { choose } = useActiveDate()
  const timeWindow = useTimeWindow(indexingDate)
  const { data, ...remote } = useRemote(detailedVolume, timelineInput(id, timeWindow.frame), 'snapshots', 'volumes')
  return { timeWindow, points: { ...remote, data: data?.elements.toReversed() }, openDay: choose }
}
