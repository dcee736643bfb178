import type { ChangeTopic } from '#events/changes.ts'
import { gauges } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { openFolders } from './folders.ts'
import { families, folderSeries, type Measured, readSeries } from './readSeries.ts'

/** The values that scrapes read. */
let current: Measured[] = []

const names = Object.keys(families) as (keyof typeof families)[]
for (const name of names) {
  const { help, labelNames, isAge } = families[name]
  gauges(name, help, labelNames, () => {
    const now = Date.now() / 1_000
    return current.map(({ labels, values: { [name]: value } }) => ({
      labels,
      value: isAge && value ? Math.max(0, now - value) : value,
    }))
  })
}

/** Changes that may change a value. */
const topics: readonly ChangeTopic[] = ['jobs', 'metrics', 'priceBooks', 'projects', 'reports', 'snapshots', 'volumes']

/** Keeps the metrics of storages, projects, reports and chosen folders current, so that scrapes read no store. */
export function startMetrics(platform: Platform): Running {
  const failed = 'could not read the metrics of storages, will retry'
  return runOnChange(platform, { topics, failed }, openMetrics(platform))
}

/**
 * Makes a function that reads the values again. Those of folders stay until they are read, which takes longest; if that fails, they are
 * unknown from the next round on.
 */
export function openMetrics({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>): () => Promise<void> {
  const readFolders = openFolders({ db, clickhouse })
  let folders: Measured[] = []
  return async () => {
    const others = await readSeries(db)
    current = [...others, ...folders]
    folders = []
    folders = folderSeries(await readFolders())
    current = [...others, ...folders]
  }
}
