import { isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans.ts'
import { News } from '../ui/News.tsx'
import { counted } from '../ui/text/count.ts'

/** What the scans do, for those who listen to the screen. */
export const ScanNews = ({ scans }: { scans: ScanRecord[] }) => <News sentence={summary(scans)} />

function summary(scans: ScanRecord[]): string {
  const running = scans.filter(isRunning)
  if (running.length === 0) return scans[0] ? `Last scan: ${scans[0].volumeName}, ${scans[0].state}` : ''
  const entries = running.reduce((total, { progress }) => total + (progress?.entries ?? 0), 0)
  return `${counted(running.length, 'scan')} running, ${counted(entries, 'entry', 'entries')} so far`
}
