import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Stores } from '#server/platform/platform.ts'
import { openIncidents, type WatchedChanges } from './alertOnMassChanges.ts'
import { busyVolumes, changesSince, isQuietSince, isUsual, massWindowMs } from './liveChanges.ts'
import { findMassChange, type FolderChanges } from './massChange.ts'

/** An alert of mass changes. `volumeIds` are the storages that it watches; undefined for all. */
export type MassRule = { scheduleId: number; files: number; volumeIds: readonly number[] | undefined }

/** Milliseconds without many changes in its folder after which an incident is over. */
const quietMs = 10 * 60_000
/** Part of an alert's limit that counts as quiet. */
const quietShare = 0.1
/** Milliseconds between two readings of the figures of an incident, and after which they stay. */
const rereadMs = 15_000
const growsMs = 3_600_000

/** A storage that is live or has an incident, and its newest committed scan. */
export type LiveStorage = { id: number; name: string; startedAt: Date | null; finishedAt: Date | null }

/** Reads the storages that are live or have an incident of a mass change. */
export async function liveStorages(db: Db): Promise<LiveStorage[]> {
  const { rows } = await sql<LiveStorage>`
    SELECT volumes.id, volumes.name, scans.started_at, scans.finished_at FROM volumes
    LEFT JOIN scans ON scans.id = volumes.committed_scan
    WHERE volumes.deleted_at IS NULL AND volumes.id IN (
      SELECT volume_id FROM live_volumes WHERE state = 'LIVE'
      UNION SELECT watched_id FROM alert_incidents JOIN schedules ON schedules.id = schedule_id
        WHERE ended_at IS NULL AND job_class = 'MASS_CHANGE_ALERT')
    ORDER BY volumes.name, volumes.id`.execute(db)
  return rows
}

type RuleState = { scheduleId: number; watched: WatchedChanges[]; isNew: boolean }

/**
 * Looks for mass changes of the storages, for each alert. `isNew` if one starts, has other figures, or is over. `readAt` has the times in
 * milliseconds at which the figures of incidents were last read, by storage, and is kept by the caller.
 */
export async function watchStorages(
  stores: Stores,
  storages: readonly LiveStorage[],
  rules: readonly MassRule[],
  at: Date,
  readAt: Map<number, number>,
): Promise<RuleState[]> {
  const ids = storages.map(({ id }) => id)
  const busy = new Set(await busyVolumes(stores, ids, Math.min(...rules.map(({ files }) => files)), at))
  const rereads = new Set(ids.filter((id) => at.getTime() - (readAt.get(id) ?? 0) >= rereadMs))
  const read = readOnce(stores)
  const seen: RuleState[] = []
  for (const { scheduleId, files, volumeIds } of rules) {
    const incidents = await openIncidents(stores.db, scheduleId)
    const watched: WatchedChanges[] = []
    for (const storage of storages.filter(({ id }) => volumeIds?.includes(id) ?? true)) {
      const { id, name } = storage
      const incident = incidents.find(({ watchedId }) => watchedId === id)
      if (incident) {
        const isReread = rereads.has(id)
        if (isReread) readAt.set(id, at.getTime())
        watched.push({ id, name, ...(await continued(stores, read, storage, { ...incident, isReread }, files, at)) })
      } else if (busy.has(id)) {
        const found = findMassChange(await read(storage, at.getTime() - massWindowMs), files)
        if (found && !(await isUsual(stores, id, found, at))) watched.push({ id, name, found, isQuiet: false })
      }
    }
    seen.push({ scheduleId, watched, isNew: watched.some(({ found, isQuiet }) => found !== undefined || isQuiet) })
  }
  return seen
}

type ReadChanges = (storage: LiveStorage, since: number) => Promise<FolderChanges[]>

/** Reads changes once for all alerts of an evaluation. */
function readOnce(stores: Stores): ReadChanges {
  const readings = new Map<string, Promise<FolderChanges[]>>()
  return (storage, since) => {
    const key = `${storage.id} ${since}`
    const reading = readings.get(key) ?? changesSince(stores, storage, new Date(since))
    readings.set(key, reading)
    return reading
  }
}

type Incident = { path: string | null; startedAt: Date; isReread: boolean }

/** An incident is over once few files change in its folder; until then its figures grow, if they are read again. */
async function continued(
  stores: Stores,
  read: ReadChanges,
  storage: LiveStorage,
  { path, startedAt, isReread }: Incident,
  files: number,
  at: Date,
): Promise<Pick<WatchedChanges, 'found' | 'isQuiet'>> {
  const place = { volumeId: storage.id, path: path ?? '/' }
  const isQuiet = await isQuietSince(stores, place, quietShare * files, new Date(at.getTime() - quietMs))
  // The entries of a later scan lack what was deleted before.
  const isComparable = !storage.finishedAt || storage.finishedAt < startedAt
  const isRead = !isQuiet && isReread && isComparable && at.getTime() - startedAt.getTime() < growsMs
  if (!isRead) return { found: undefined, isQuiet }
  return { found: findMassChange(await read(storage, startedAt.getTime() - massWindowMs), files), isQuiet }
}
