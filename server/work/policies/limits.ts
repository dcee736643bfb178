import { sql } from 'kysely'
import { counted } from '#events/contract/counted.ts'
import type { PolicyLimits } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import type { Counts } from './counts.ts'
import type { PlannedStorage } from './storagesOf.ts'

type Today = Counts & { volumeBytes: Record<string, number> }
type OfRuns = { policyId: number; kind: PolicyRun['kind']; now: Date }

/** Newest runs whose median a plan is compared with. */
const comparedRuns = 10

/** The limits that a plan is above, with what the policy has started within a day, as reasons to wait for approval. */
export async function reasonsOfLimits(
  trx: Trx,
  limits: PolicyLimits,
  plan: Counts,
  storages: readonly PlannedStorage[],
  of: OfRuns,
): Promise<string[]> {
  const { share } = limits
  const above = (maximum: number | null, found: number) => maximum !== null && found > maximum
  const today = await countsToday(trx, of)
  const [files, bytes] = [today.files + plan.files, today.bytes + plan.bytes]
  const also = today.files > 0 ? ' within a day' : ''
  const median = limits.twiceUsual ? await medianCounts(trx, of) : undefined
  const isUnusual = median && (plan.files > 2 * median.files || plan.bytes > 2 * median.bytes)
  return [
    ...(above(limits.files, files)
      ? [`${counted(files, 'file')}${also}, above the limit of ${limits.files?.toLocaleString('en-US')}`]
      : []),
    ...(above(limits.bytes, bytes)
      ? [`${sizeText(bytes)}${also}, above the limit of ${sizeText(limits.bytes ?? 0)}`]
      : []),
    ...storages.flatMap(({ volumeId, name, bytes, totalBytes }) => {
      const ofDay = bytes + (today.volumeBytes[volumeId] ?? 0)
      const percent = totalBytes > 0 ? (ofDay / totalBytes) * 100 : 100
      return above(share, percent)
        ? [`${rounded(percent)} % of ${name}${ofDay > bytes ? also : ''}, above the limit of ${share} %`]
        : []
    }),
    ...(isUnusual
      ? [`More than twice the usual ${counted(Math.round(median.files), 'file')} and ${sizeText(median.bytes)}`]
      : []),
  ]
}

const rounded = (percent: number): string => Number(percent.toPrecision(3)).toString()

/** A daily run is a few seconds early or late. */
const dayMs = 23 * 3_600_000

/** Files and bytes of the runs that were started within a day, also by storage. */
async function countsToday(trx: Trx, { policyId, kind, now }: OfRuns): Promise<Today> {
  const { rows } = await sql<Today>`
    WITH today AS (
      SELECT files, bytes, volume_bytes FROM policy_runs WHERE policy_id = ${policyId} AND kind = ${kind} AND state = 'started'
        AND coalesce(started_at, at) > ${new Date(now.getTime() - dayMs)})
    SELECT coalesce(sum(files), 0)::float AS files, coalesce(sum(bytes), 0)::float AS bytes, coalesce((
      SELECT jsonb_object_agg(volume, total) FROM (
        SELECT key AS volume, sum(value::numeric) AS total FROM today, jsonb_each_text(volume_bytes) GROUP BY key) AS summed), '{}') AS "volumeBytes"
    FROM today`.execute(trx)
  return rows[0] ?? { files: 0, bytes: 0, volumeBytes: {} }
}

/** Median of the last runs that acted; undefined without any. */
async function medianCounts(trx: Trx, { policyId, kind }: OfRuns): Promise<Counts | undefined> {
  const { rows } = await sql<{ files: number | null; bytes: number }>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY files) AS files, percentile_cont(0.5) WITHIN GROUP (ORDER BY bytes) AS bytes
    FROM (SELECT files, bytes FROM policy_runs WHERE policy_id = ${policyId} AND kind = ${kind} AND state = 'started'
      ORDER BY id DESC LIMIT ${comparedRuns}) AS acted`.execute(trx)
  const [median] = rows
  return median && median.files !== null ? { files: median.files, bytes: median.bytes } : undefined
}
