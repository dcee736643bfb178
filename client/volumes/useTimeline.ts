import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useQuery } from '../app/address.ts'
import { useRemote } from '../app/remote.ts'
import type { Loadable } from '../ui/loadable.ts'
import { type TimeWindow, type WindowChoice, boundsOf, readWindow, writeWindow } from './timeWindow.ts'

export type Timeline = {
  frame: TimeWindow
  bounds: ReturnType<typeof boundsOf>
  /** The snapshots of the days, oldest first. */
  points: Loadable<DetailedVolume[]>
  choose: (choice: WindowChoice, days?: Pick<TimeWindow, 'from' | 'to'>) => void
  /** Looks at the storage as a day has it. */
  openDay: (day: string) => void
}

/** The newest snapshots of the days, without what their files are like. */
export const pointsAsked = (id: number, { from, to }: TimeWindow) => ({
  params: { id },
  query: { from, to, size: 1_000, sort: 'indexingDate', direction: 'desc', statistics: 'false' } as const,
})

/** A storage through the days that the address asks for. */
export function useTimeline({ id, indexingDate }: DetailedVolume): Timeline {
  const [address, change] = useQuery()
  const { choose } = useActiveDate()
  const frame = readWindow(address, indexingDate)
  const found = useRemote(detailedVolume, pointsAsked(id, frame), 'snapshots', 'volumes')
  return {
    frame,
    bounds: boundsOf(frame, indexingDate),
    points: { ...found, data: found.data?.elements.toReversed() },
    choose: (choice, days = frame) => change((query) => writeWindow(query, choice, days), { replace: true }),
    openDay: choose,
  }
}
