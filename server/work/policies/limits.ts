import { sql } from 'kysely'
import { counted } from '#events/contract/counted.ts'
import type { PolicyLimits } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import type { PlannedStorage } from './planRun.ts'

type Counts = { files: number; bytes: number }
type OfRuns = { policyId: number; kind: PolicyRun['kind'] }

/** Runs that the usual number of files is the median of. */
const comparedRuns = 10

/** The limits that a plan is above, as reasons to wait for approval. */
export async function reasonsOfLimits(
  trx: Trx,
  limits: PolicyLimits,
  { files, bytes }: Counts,
  storages: readonly PlannedStorage[],
  of: OfRuns,
): Promise<string[]> {
  const { share } = limits
  const above = (maximum: number | null, found: number) => maximum !== null && found > maximum
  const usual = limits.twiceUsual ? await usualCounts(trx, of) : undefined
  const isUnusual = usual && (files > 2 * usual.files || bytes > 2 * usual.bytes)
  return [
    ...(above(limits.files, files)
      ? [`${counted(files, 'file')}, above the limit of ${limits.files?.toLocaleString('en-US')}`]
      : []),
    ...(above(limits.bytes, bytes) ? [`${sizeText(bytes)}, above the limit of ${sizeText(limits.bytes ?? 0)}`] : []),
    ...storages.flatMap(({ name, bytes, totalBytes }) => {
      const percent = totalBytes > 0 ? (bytes / totalBytes) * 100 : 100
      return above(share, percent) ? [`${rounded(percent)} % of ${name}, above the limit of ${share} %`] : []
    }),
    ...(isUnusual
      ? [`More than twice the usual ${counted(Math.round(usual.files), 'file')} and ${sizeText(usual.bytes)}`]
      : []),
  ]
}

const rounded = (percent: number): string => Number(percent.toPrecision(3)).toString()

/** Median of the last runs that acted; undefined without any. */
async function usualCounts(trx: Trx, { policyId, kind }: OfRuns): Promise<Counts | undefined> {
  const { rows } = await sql<{ files: number | null; bytes: number }>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY files) AS files, percentile_cont(0.5) WITHIN GROUP (ORDER BY bytes) AS bytes
    FROM (SELECT files, bytes FROM policy_runs WHERE policy_id = ${policyId} AND kind = ${kind} AND state = 'started'
      ORDER BY id DESC LIMIT ${comparedRuns}) AS acted`.execute(trx)
  const [usual] = rows
  return usual && usual.files !== null ? { files: usual.files, bytes: usual.bytes } : undefined
}
