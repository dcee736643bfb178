import { z } from 'zod'
import { Capacity, LimitedPart } from './capacity.ts'
import { AsOf, AtTime, endpoint } from './contract/endpoint.ts'
import { Forecast } from './overview/forecast.ts'
import { ScanRecord } from './scans/calls.ts'
import { OtherSizes } from './contract/sizeBasis.ts'
import type { Progress } from './scans/lifecycle.ts'

export const StorageSize = z.object({
  volumeId: z.int(),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  /** Full path of the storage, as users write it. */
  fullPath: z.string(),
  ...Capacity.shape,
  sizeOfFiles: z.number(),
  ...OtherSizes.shape,
  /** Same as `sizeOfFiles`, but files with several hard links count once. */
  countedSize: z.number(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  isPartial: z.boolean(),
  ...LimitedPart.shape,
  indexingDate: z.string(),
  ...AsOf.shape,
  /** Absent if the capacity or a trend is unknown. */
  forecast: Forecast.optional(),
})
export type StorageSize = z.infer<typeof StorageSize>

/** Data of the first cards of the dashboard. `indexingDate` is the snapshot that is shown, null without one. */
export const Dashboard = AsOf.extend({
  indexingDate: z.string().nullable(),
  storages: z.array(StorageSize),
  /** The last scans: running ones first, then newest first. With limits those of storages that the caller sees as a whole. */
  scans: z.array(ScanRecord),
})
export type Dashboard = z.infer<typeof Dashboard>

export const dashboard = endpoint({
  method: 'GET',
  path: '/v1/dashboard',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the dashboard',
  query: AtTime,
  answer: Dashboard,
})

/** Used bytes of a storage by date, oldest first. `used` is null if the storage did not report it. */
export const StorageTrend = z.object({
  volumeId: z.int(),
  points: z.array(z.object({ indexingDate: z.string(), used: z.number().nullable(), sizeOfFiles: z.number() })),
})
export type StorageTrend = z.infer<typeof StorageTrend>

/** A scan under this many milliseconds is flagged as suspiciously fast. */
export const suspiciouslyFastMs = 1_000

/** Events that change the dashboard. */
type DashboardEvent =
  | { type: 'scanProgressed'; scanId: number; progress: Progress }
  | { type: 'scanChanged'; scan: ScanRecord }
  | { type: 'dashboard'; dashboard: Dashboard }

export const isDashboardEvent = <E extends { type: string }>(event: E): event is Extract<E, DashboardEvent> =>
  event.type === 'scanProgressed' || event.type === 'scanChanged' || event.type === 'dashboard'

/**
 * Folds an event into the dashboard, the same on the server and in the browser. Only `scanProgressed` has the progress
 * of a running scan, so the known progress is kept where a newer record or dashboard has none.
 */
export function evolveDashboard(dashboard: Dashboard, event: DashboardEvent): Dashboard {
  switch (event.type) {
    case 'dashboard':
      return { ...event.dashboard, scans: event.dashboard.scans.map((scan) => withProgress(scan, dashboard)) }
    case 'scanProgressed':
      return {
        ...dashboard,
        scans: dashboard.scans.map((scan) =>
          scan.scanId === event.scanId && isRunning(scan) ? { ...scan, progress: event.progress } : scan,
        ),
      }
    case 'scanChanged':
      return { ...dashboard, scans: withScan(dashboard, event.scan) }
  }
}

/** Replaces or adds the record of a scan. A finished scan ignores running records, which are older. */
function withScan(dashboard: Dashboard, scan: ScanRecord): ScanRecord[] {
  const known = dashboard.scans.find(({ scanId }) => scanId === scan.scanId)
  if (known && !isRunning(known) && isRunning(scan)) return dashboard.scans
  const others = dashboard.scans.filter((other) => other !== known)
  return [withProgress(scan, dashboard), ...others]
    .sort((a, b) => Number(isRunning(b)) - Number(isRunning(a)) || b.scanId - a.scanId)
    .slice(0, 25)
}

function withProgress(scan: ScanRecord, { scans }: Dashboard): ScanRecord {
  if (scan.progress || !isRunning(scan)) return scan
  return { ...scan, progress: scans.find(({ scanId }) => scanId === scan.scanId)?.progress ?? null }
}

export const isRunning = ({ state }: ScanRecord): boolean =>
  state === 'waiting' || state === 'running' || state === 'committing'
