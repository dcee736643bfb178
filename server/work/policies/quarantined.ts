import type { z } from 'zod'
import type { quarantined } from '#events/policies/runs.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Stores } from '#server/platform/platform.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { countQuarantined } from '#server/work/actions/index.ts'
import { type Counts, sumOf } from './counts.ts'
import { deletesAt, settlesAt } from './runs.ts'

type Answer = z.output<typeof quarantined.answer>

/** Counts what each run has in quarantine, by storage, with the day on which it comes free. */
async function countHeld(stores: Stores) {
  const runs = await stores.db
    .selectFrom('policyRuns')
    .innerJoin('policies', 'policies.id', 'policyId')
    .leftJoin('jobs', 'jobs.id', 'jobId')
    .select(['policyId', 'jobId', 'deleteAfterDays', 'action', settlesAt.as('settledAt')])
    .where('inQuarantine', '=', true)
    .execute()
  const jobIds = runs.flatMap(({ jobId }) => jobId ?? [])
  const counted = jobIds.length === 0 ? [] : await countQuarantined(stores, jobIds)
  return counted.flatMap((one) => {
    const run = runs.find(({ jobId }) => jobId === one.jobId)
    const at = run && deletesAt(run.action, run)
    return run ? { ...one, policyId: run.policyId, day: at ? dayOf(at) : '' } : []
  })
}

/** Counts the files in the quarantine of each storage, and those that come free by day. */
export async function readQuarantined(stores: Stores): Promise<Answer> {
  return [...Map.groupBy(await countHeld(stores), ({ volumeId }) => volumeId)]
    .toSorted(([a], [b]) => a - b)
    .map(([volumeId, ofVolume]) => {
      const byDay = Map.groupBy(ofVolume, ({ day }) => day)
      const comesFree = [...byDay].flatMap(([day, some]) => (day === '' ? [] : { day, ...sumOf(some) }))
      return { volumeId, ...sumOf(ofVolume), comesFree: comesFree.toSorted((a, b) => (a.day < b.day ? -1 : 1)) }
    })
}

/** Counts what each policy has in quarantine; undefined while ClickHouse is away, since policies can be paused without it. */
export async function heldByPolicy(stores: Stores): Promise<((policyId: number) => Counts) | undefined> {
  const held = await countHeld(stores).catch((error: unknown) => {
    if (!isStoreLost(error)) throw error
    return undefined
  })
  return held && ((id) => sumOf(held.filter(({ policyId }) => policyId === id)))
}
