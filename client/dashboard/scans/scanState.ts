import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconDatabaseImport,
  IconProgress,
  type Icon,
} from '@tabler/icons-react'
import { isRunning, suspiciouslyFastMs } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { durationText } from '#client/ui/text/duration.ts'
import type { Tone } from '#client/ui/values/StatusBadge.tsx'

export const scanStates: Record<ScanRecord['state'], { icon: Icon; tone: Tone; word: string }> = {
  waiting: { icon: IconClock, tone: 'quiet', word: 'Waiting' },
  running: { icon: IconProgress, tone: 'ok', word: 'Running' },
  committing: { icon: IconDatabaseImport, tone: 'ok', word: 'Saving the snapshot' },
  done: { icon: IconCircleCheck, tone: 'good', word: 'Done' },
  partial: { icon: IconAlertTriangle, tone: 'warn', word: 'Partial' },
  failed: { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' },
  cancelled: { icon: IconCircleX, tone: 'faint', word: 'Cancelled' },
}

/** True for a finished scan that was so fast that it may have seen nothing. */
export const isSuspiciouslyFast = ({ state, crawlDuration }: ScanRecord): boolean =>
  (state === 'done' || state === 'partial') &&
  crawlDuration !== null &&
  crawlDuration >= 0 &&
  crawlDuration < suspiciouslyFastMs

/** Running scans and the newest one of each other storage, in their order. */
export function latestScans(scans: readonly ScanRecord[]): ScanRecord[] {
  const seen = new Set<number>()
  return scans.filter((scan) => {
    const isShown = isRunning(scan) || !seen.has(scan.volumeId)
    seen.add(scan.volumeId)
    return isShown
  })
}

/** Total duration of the completed scans of the newest day, as text; undefined without such scans. */
export function dailyScanTime(scans: readonly ScanRecord[]): string | undefined {
  const ended = scans.filter(({ crawlDuration }) => crawlDuration !== null && crawlDuration >= 0)
  const [day] = ended.map(({ indexingDate }) => indexingDate).sort((a, b) => b.localeCompare(a))
  if (day === undefined) return undefined
  const ofDay = ended.filter(({ indexingDate }) => indexingDate === day)
  const total = ofDay.reduce((sum, { crawlDuration }) => sum + (crawlDuration ?? 0), 0)
  return `${durationText(total)} total on ${day}`
}
