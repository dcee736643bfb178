import { usableBytes } from '#events/capacity.ts'
import type { StorageSize, StorageTrend } from '#events/dashboard.ts'
import type { MetricFolder } from '#events/overview/metrics.ts'
import { readDashboard, readTrends } from '#server/scanning/dashboard/index.ts'
import { scansOf } from '#server/work/alerts/index.ts'
import { listProjects } from '#server/work/projects/index.ts'
import { listReports } from '#server/work/reports/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

const family = (labelNames: readonly string[]) => (help: string, isAge?: 'age') => ({
  help,
  labelNames,
  isAge: isAge === 'age',
})
const ofStorage = family(['storage'])
const ofProject = family(['project'])
const ofReport = family(['report'])

/** The metrics, with their labels. Those of ages are kept as Unix times in seconds. */
export const families = {
  storage_used_bytes: ofStorage('Used bytes of the file system of a storage'),
  storage_available_bytes: ofStorage('Bytes that users can still write to the file system of a storage'),
  storage_total_bytes: ofStorage('Capacity of the file system of a storage, including what is reserved for the system'),
  storage_files: ofStorage('Files in the newest snapshot of a storage'),
  storage_content_bytes: ofStorage('Bytes of the files in the newest snapshot of a storage'),
  storage_growth_bytes_per_day: ofStorage('Growth of the bytes of the files per day, within the last 30 days'),
  storage_until_full_seconds: ofStorage('Time until the file system is full, forecast at the newest snapshot'),
  storage_added_timestamp_seconds: ofStorage('Time at which a storage was added'),
  snapshot_age_seconds: ofStorage('Time since the last completed scan of a storage', 'age'),
  scan_failed: ofStorage('1 if the last scan of a storage failed, 0 if it completed'),
  folder_bytes: family(['storage', 'path'])('Bytes of a chosen folder in the newest snapshot'),
  project_bytes: ofProject('Bytes of the folders of a project'),
  project_files: ofProject('Files of a project'),
  project_allocated_bytes: ofProject('Allocated size of a project'),
  project_cost: family(['project', 'currency'])('Cost of a project per year, by currency'),
  report_files: ofReport('Files that the last run of a report found'),
  report_bytes: ofReport('Bytes of the files that the last run of a report found'),
  report_check_failed: ofReport('1 if the check of a report failed, 0 if it passed or warns'),
}
type Name = keyof typeof families

/** An object with its values. Unknown ones are null or undefined, and have no series. */
export type Measured = { labels: Record<string, string>; values: Partial<Record<Name, number | null | undefined>> }

/** The current values of storages, projects and reports, from Postgres. */
export async function readSeries(db: Db): Promise<Measured[]> {
  const series = await Promise.all([storageSeries(db), projectSeries(db), reportSeries(db)])
  return series.flat()
}

async function storageSeries(db: Db): Promise<Measured[]> {
  const [{ storages }, trends, scans] = await Promise.all([
    readDashboard(db),
    readTrends(db, { scope: 'everything', indexingDate: undefined, days: trendDays }),
    scansOf(db),
  ])
  const shown = new Map(storages.map((storage) => [storage.volumeId, storage]))
  const points = new Map(trends.map(({ volumeId, points }) => [volumeId, points]))
  return scans.map(({ id, name, createdAt, completedAt, state }) => ({
    labels: { storage: name },
    values: {
      ...sizesOf(shown.get(id)),
      storage_growth_bytes_per_day: growthPerDay(points.get(id) ?? []),
      storage_added_timestamp_seconds: secondsOf(createdAt),
      snapshot_age_seconds: completedAt && secondsOf(completedAt),
      scan_failed: state && Number(state === 'failed'),
    },
  }))
}

function sizesOf(storage: StorageSize | undefined): Measured['values'] {
  if (!storage) return {}
  const { used, free, total, numberOfFiles, sizeOfFiles, forecast } = storage
  const usable = usableBytes(storage)
  return {
    storage_used_bytes: used,
    storage_available_bytes: usable === undefined ? free : usable - (used ?? 0),
    storage_total_bytes: total || null,
    storage_files: numberOfFiles,
    storage_content_bytes: sizeOfFiles,
    storage_until_full_seconds: forecast && forecast.days * daySeconds,
  }
}

const trendDays = 30
const daySeconds = 86_400
const secondsOf = (at: Date): number => at.getTime() / 1_000

/** Undefined without scans of two days. */
function growthPerDay(points: StorageTrend['points']): number | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last) return undefined
  const days = (Date.parse(last.indexingDate) - Date.parse(first.indexingDate)) / 1_000 / daySeconds
  return (last.sizeOfFiles - first.sizeOfFiles) / days
}

/** More projects or reports than anyone has. */
const all = { page: 1, size: 100_000 }

/** Figures that are still being counted are unknown. */
async function projectSeries(db: Db): Promise<Measured[]> {
  const { elements } = await listProjects(db, 'everything', { ...all, filter: '' })
  return elements.flatMap(({ name: project, loadingReport, indexingDate, costs, ...figures }) => {
    const isKnown = !loadingReport && indexingDate !== null
    const sizes = { project_bytes: figures.sizeOfFiles, project_files: figures.numberOfFiles }
    const ofCurrency = costs.map(({ currencySymbol: currency, perYear }) => ({
      labels: { project, currency },
      values: { project_cost: perYear },
    }))
    const values = { project_allocated_bytes: figures.allocatedSize, ...(isKnown && sizes) }
    return [{ labels: { project }, values }, ...(isKnown ? ofCurrency : [])]
  })
}

/** Reports of users who see only some data may have the same name, and have their owner in the label then. */
async function reportSeries(db: Db): Promise<Measured[]> {
  const { elements } = await listReports(db, all, { id: 0, scope: 'everything' })
  const named = Map.groupBy(elements, ({ name }) => name)
  return elements.map(({ name, createdBy, numberOfFilesFound, sizeOfFilesFound, check }) => ({
    labels: { report: named.get(name)?.length === 1 ? name : `${name} (${createdBy})` },
    values: {
      report_files: numberOfFilesFound,
      report_bytes: sizeOfFilesFound,
      report_check_failed: check === null || check.state === 'UNKNOWN' ? null : Number(check.state === 'FAILED'),
    },
  }))
}

export const folderSeries = (folders: readonly MetricFolder[]): Measured[] =>
  folders.map(({ storageName: storage, path, bytes }) => ({
    labels: { storage, path },
    values: { folder_bytes: bytes },
  }))
