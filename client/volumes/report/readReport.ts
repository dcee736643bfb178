import type { CostInterval } from '#events/price-books.ts'
import { searchSizes } from '#events/search/calls.ts'
import { type CheckedAction, checkedActions } from '#events/actions/checked.ts'
import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { call } from '#client/app/call.ts'
import type { Reading } from '#client/ui/charts/measure.ts'
import { type Insight, insightOf, questionsOf, searchOf } from '#client/parts/volume-analytics/insights.ts'
import type { TimeWindow } from '#client/parts/time-window/timeWindow.ts'
import { timelineInput } from '#client/parts/volume-analytics/useTimeline.ts'

type ReportOptions = {
  volume: DetailedVolume
  /** Undefined for the newest snapshot. */
  indexingDate: string | undefined
  frame: TimeWindow
  interval: CostInterval
  reading: Reading
}

export type VolumeReportProps = Omit<ReportOptions, 'indexingDate'> & {
  points: DetailedVolume[]
  insights: Insight[]
  actions: CheckedAction[]
}

/** Fetches all data of the PDF, as shown on the screen. */
export async function readReport({ indexingDate, ...shown }: ReportOptions): Promise<VolumeReportProps> {
  const { volume, frame, reading } = shown
  const insights = questionsOf(volume).map(async (question) => {
    const found = await call(searchSizes, { query: { ...searchOf(question, volume), indexingDate } })
    return insightOf(question, found, volume, reading.base)
  })
  const points = call(detailedVolume, timelineInput(volume.id, frame))
  const actions = call(checkedActions, { params: { id: volume.id } })
  return {
    ...shown,
    points: (await points).elements.toReversed(),
    insights: await Promise.all(insights),
    actions: await actions,
  }
}
