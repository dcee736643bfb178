import { sql } from 'kysely'
import { counted } from '#events/contract/counted.ts'
import type { PolicyLimits } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import type { PlannedStorage } from './planRun.ts'

type Counts = { files: number; bytes: number }
type OfRuns = { policyId: number; kind: PolicyRun['kind']; now: Date }

/** Runs that the usual number of files is the median of. */
const comparedRuns = 10

/** The limits that a plan is above, with what the policy has started within 24 hours, as reasons to wait for approval. */
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
  const also = today.files > 0 ? ' within 24 hours' : ''
  const usual = limits.twiceUsual ? await usualCounts(trx, of) : undefined
  const isUnusual = usual && (plan.files > 2 * usual.files || plan.bytes > 2 * usual.bytes)
  return [
    ...(above(limits.files, files)
      ? [`${counted(files, 'file')}${also}, above the limit of ${limits.files?.toLocaleString('en-US')}`]
      : []),
    ...(above(limits.bytes, bytes)
      ? [`${sizeText(bytes)}${also}, above the limit of ${sizeText(limits.bytes ?? 0)}`]
      : []),
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

/** What runs of the last day have started. */
async function countsToday(trx: Trx, { policyId, kind, now }: OfRuns): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT coalesce(sum(files), 0)::float AS files, coalesce(sum(bytes), 0)::float AS bytes FROM policy_runs
    WHERE policy_id = ${policyId} AND kind = ${kind} AND state = 'started' AND at > ${new Date(now.getTime() - 86_400_000)}`.execute(
    trx,
  )
  return rows[0] ?? { files: 0, bytes: 0 }
}

/** Median of the last runs that acted; undefined without any. */
async function usualCounts(trx: Trx, { policyId, kind }: OfRuns): Promise<Counts | undefined> {
  const { rows } = await sql<{ files: number | null; bytes: number }>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY files) AS files, percentile_cont(0.5) WITHIN GROUP (ORDER BY bytes) AS bytes
    FROM (SELECT files, bytes FROM policy_runs WHERE policy_id = ${policyId} AND kind = ${kind} AND state = 'started'
      ORDER BY id DESC LIMIT ${comparedRuns}) AS acted`.execute(trx)
  const [usual] = rows
  return usual && usual.files !== null ? { files: usual.files, bytes: usual.bytes } : undefined
}
