import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { goneNotes, storagePhrases } from './alertOnVolumes.ts'
import type { AlertOutcome } from './evaluation.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import { type GrowthLimit, growthOf, growthPhrases, growthThreshold, withinText } from './growth.ts'
import { type ObjectAlert, reportObjects } from './reportObjects.ts'

type GrowthAlert = ObjectAlert & GrowthLimit & { volumeIds: number[] }

/** Reports the storages whose files grew by the limit, from the oldest snapshot within the days to the newest one. */
export async function alertOnGrowth(trx: Trx, alert: GrowthAlert): Promise<AlertOutcome> {
  const sizes = await sizesOf(trx, alert.volumeIds, alert.growthDays)
  const watches = sizes.map(({ id, name, day, bytes, dayBefore, bytesBefore }) => ({
    id,
    name,
    ...growthOf(name, { bytes, day }, { bytes: bytesBefore, day: dayBefore }, alert),
  }))
  const unknown = watches.filter(({ percent }) => percent === undefined).map(({ name }) => name)
  const within = withinText(alert.growthDays)
  const incomparable = `there is no earlier snapshot within ${within} to compare ${joinNames(unknown)} with`
  return reportObjects(
    trx,
    { ...alert, threshold: growthThreshold(alert) },
    {
      watches,
      notes: [...(unknown.length > 0 ? [incomparable] : []), ...(await goneNotes(trx, sizes, alert.volumeIds))],
      phrases: { ...storagePhrases, ...growthPhrases(alert) },
    },
  )
}

type Sizes = {
  id: number
  name: string
  day: string | null
  bytes: number | null
  dayBefore: string | null
  bytesBefore: number | null
}

/** Sizes of storages in their newest snapshot, and in the oldest one within a number of days before. */
async function sizesOf(trx: Trx, ids: number[], days: number): Promise<Sizes[]> {
  const { rows } = await sql<Sizes>`
    SELECT volumes.id, name, now.day, now.bytes, past.day AS day_before, past.bytes AS bytes_before
    FROM volumes
    LEFT JOIN LATERAL (${snapshotOf(sql`true`, sql`DESC`)}) AS now ON true
    LEFT JOIN LATERAL (${snapshotOf(sql`snapshots.indexing_date < now.day AND snapshots.indexing_date >= now.day - ${days}::integer`, sql`ASC`)}) AS past ON true
    WHERE volumes.deleted_at IS NULL AND volumes.id = ANY(${ids}) ORDER BY lower(name), volumes.id`.execute(trx)
  return rows
}

const snapshotOf = (dates: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  SELECT snapshots.indexing_date AS day, scans.bytes::float8 AS bytes
  FROM snapshots JOIN scans ON scans.id = snapshots.scan_id
  WHERE snapshots.volume_id = volumes.id AND ${dates} ORDER BY snapshots.indexing_date ${order} LIMIT 1`
