import type { z } from 'zod'
import type { quarantined } from '#events/policies/runs.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Stores } from '#server/platform/platform.ts'
import { countQuarantined } from '#server/work/actions/index.ts'
import { deletesAt } from './runs.ts'

type Answer = z.output<typeof quarantined.answer>

/** Counts the files in the quarantine of each storage, and those that come free by day. */
export async function readQuarantined(stores: Stores): Promise<Answer> {
  const runs = await stores.db
    .selectFrom('policyRuns')
    .innerJoin('policies', 'policies.id', 'policyId')
    .select(['jobId', 'settledAt', 'deleteAfterDays', 'action'])
    .where('inQuarantine', '=', true)
    .execute()
  const jobIds = runs.flatMap(({ jobId }) => jobId ?? [])
  const counted = jobIds.length === 0 ? [] : await countQuarantined(stores, jobIds)
  const days = new Map(runs.map((run) => [run.jobId, deletesAt(run.action, run)]))
  return [...Map.groupBy(counted, ({ volumeId }) => volumeId)]
    .toSorted(([a], [b]) => a - b)
    .map(([volumeId, ofVolume]) => {
      const byDay = Map.groupBy(ofVolume, ({ jobId }) => {
        const at = days.get(jobId)
        return at ? dayOf(at) : ''
      })
      const comesFree = [...byDay].flatMap(([day, some]) => (day === '' ? [] : { day, ...sum(some) }))
      return { volumeId, ...sum(ofVolume), comesFree: comesFree.toSorted((a, b) => (a.day < b.day ? -1 : 1)) }
    })
}

const sum = (counted: readonly { files: number; bytes: number }[]) => ({
  files: counted.reduce((total, { files }) => total + files, 0),
  bytes: counted.reduce((total, { bytes }) => total + bytes, 0),
})
