import { useState } from 'react'
import { type Project, type ProjectAtDate, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { type ChosenTimeWindow, useTimeWindow } from '#client/parts/time-window/timeWindow.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { dayText } from '#client/ui/text/moment.ts'

export type History = {
  timeWindow: ChosenTimeWindow
  /** The project on the dates of the window, oldest first. */
  dates: Loadable<ProjectAtDate[]>
  /** Selects the snapshot of a day. */
  openDay: (day: string) => void
}

/** History of a project over the days in the URL. */
export function useHistory({ id, indexingDate }: Pick<Project, 'id' | 'indexingDate'>): History {
  const { active, choose } = useActiveDate()
  const [today] = useState(() => dayText(Date.now()))
  const day = indexingDate ?? active?.indexingDate ?? today
  const timeWindow = useTimeWindow(day)
  const { from, to } = timeWindow.frame
  const input = { params: { id }, query: { from, to } }
  const { data, ...remote } = useRemote(projects.history, input, 'projects', 'snapshots')
  return { timeWindow, dates: { ...remote, data: data?.toReversed() }, openDay: choose }
}
