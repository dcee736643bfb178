import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { PolicySearch, policyActionKinds, UntouchedDays } from './policies.ts'
import { Money } from './runs.ts'

/** Days within which a use of a file counts as one that the policy would have been wrong about, from the day on which it acts. */
export const regretDays = [30, 90, 365] as const
const within = z.union(regretDays.map((days) => z.literal(days)))

const counts = { files: z.number(), bytes: z.number() }
const Counts = z.object(counts)
/**
 * Files used again within some days, by the newest snapshot of their storage. For those acted on less than that before it, the days aren't over,
 * and more may follow: `known` are all that were acted on earlier, `knownAgain` those of them that were used again. The share is that of these two.
 */
const Regret = z.object({ ...counts, known: Counts, knownAgain: Counts })

/** Files that a policy would have acted on, what they cost, and those of them that were used again within 30, 90 and 365 days. */
const Freed = z.object({ ...counts, money: Money, regret: z.object({ 30: Regret, 90: Regret, 365: Regret }) })
export type Freed = z.infer<typeof Freed>

/**
 * Acts of a policy at each snapshot of the past, by age and month. It acts on a file on the first day on which a snapshot shows it,
 * the search finds it, and its last known use is more than `days` before; on the first day of the history also on all that was old before. A file
 * counts once until a later version shows a later use, also after a move; it is the same file at the same path, even with another inode. Uses are
 * reads, changes and its creation, by their day (UTC); without recorded access times only the latter. Without a recorded creation time, so is
 * the day of the first snapshot that shows a version, unless the first scan did. A deleted file is no regret. Bytes are
 * those that costs are for, hard links once. Lists of projects and owners have those with most bytes used again within 90 days.
 */
export const Simulation = z.object({
  /** First and last day of the history, and number of its snapshots; null and 0 without any. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  snapshots: z.int(),
  /** Storages of the search without recorded access times: only changes count there. */
  withoutAccessTimes: z.array(z.string()),
  /** Earlier access times are kept. Without them, a file counts as unused until its newest access. */
  keepsAccessTimes: z.boolean(),
  ages: z.array(
    z.object({
      days: z.int(),
      total: Freed,
      /** `month` is yyyy-MM. */
      months: z.array(Freed.extend({ month: z.string() })),
      projects: z.array(z.object({ id: z.int(), name: z.string(), ...counts })),
      owners: z.array(z.object({ owner: z.string(), ...counts })),
    }),
  ),
})
export type Simulation = z.infer<typeof Simulation>

const tried = { search: PolicySearch, action: z.enum(policyActionKinds).default('quarantine') }
const common = { needs: 'policies.edit', method: 'POST', isReading: true } as const

/** Tries a policy on the past, for several ages in days. The action decides on which storages it could have acted. Changes nothing. */
export const simulatePolicy = endpoint({
  ...common,
  path: '/v1/policies/simulations',
  failure: 'Unable to try the policy on the past',
  body: z.object({ ...tried, days: z.array(UntouchedDays).min(1, 'must have at least one').max(20) }),
  answer: Simulation,
})

/** A file that a policy would have acted on, and that was used again. Days are yyyy-MM-dd. */
export const UsedAgain = z.object({
  path: z.string(),
  owner: z.string(),
  size: z.number(),
  actedOn: z.iso.date(),
  usedOn: z.iso.date(),
})
export type UsedAgain = z.infer<typeof UsedAgain>

/** The largest files that a policy would have been wrong about, at most 1,000. */
export const listUsedAgain = endpoint({
  ...common,
  path: '/v1/policies/simulations/files',
  failure: 'Unable to list the files that were used again',
  body: z.object({ ...tried, days: UntouchedDays, within: within.default(90) }),
  answer: z.array(UsedAgain),
})
