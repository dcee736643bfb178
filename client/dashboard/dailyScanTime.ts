import type { ScanRecord } from '#events/scans.ts'
import { durationText } from '../ui/text/duration.ts'

/** How long the scans of the newest day took that came to their end, in words; nothing when there are none. */
export function dailyScanTime(scans: readonly ScanRecord[]): string | undefined {
  const ended = scans.filter(({ crawlDuration }) => crawlDuration !== null && crawlDuration >= 0)
  const [day] = ended.map(({ indexingDate }) => indexingDate).sort((a, b) => b.localeCompare(a))
  if (day === undefined) return undefined
  const ofDay = ended.filter(({ indexingDate }) => indexingDate === day)
  const total = ofDay.reduce((sum, { crawlDuration }) => sum + (crawlDuration ?? 0), 0)
  return `${durationText(total)} on ${day}`
}
