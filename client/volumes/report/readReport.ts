import type { CostInterval } from '#events/price-books.ts'
import { searchSizes } from '#events/search.ts'
import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { call } from '../../app/call.ts'
import type { Reading } from '../../ui/charts/measure.ts'
import { type Insight, insightOf, questionsOf, searchOf } from '../insights.ts'
import type { TimeWindow } from '../timeWindow.ts'
import { pointsAsked } from '../useTimeline.ts'

type Asked = {
  volume: DetailedVolume
  /** The snapshot; undefined is the newest. */
  indexingDate: string | undefined
  frame: TimeWindow
  interval: CostInterval
  reading: Reading
}

export type VolumeReportProps = Omit<Asked, 'indexingDate'> & { points: DetailedVolume[]; insights: Insight[] }

/** Reads all that the document of a storage shows, as the screen would show it. */
export async function readReport({ indexingDate, ...shown }: Asked): Promise<VolumeReportProps> {
  const { volume, frame, reading } = shown
  const insights = questionsOf(volume).map(async (question) => {
    const found = await call(searchSizes, { query: { ...searchOf(question, volume), indexingDate } })
    return insightOf(question, found, volume, reading.base)
  })
  const points = call(detailedVolume, pointsAsked(volume.id, frame))
  return { ...shown, points: (await points).elements.toReversed(), insights: await Promise.all(insights) }
}
