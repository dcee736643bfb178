import { z } from 'zod'
import { actions } from '#events/actions/actions.ts'
import { crud } from '#events/contract/endpoint.ts'
import { nameText } from '#events/contract/names.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { CronText } from '#events/schedules/quartz.ts'
import { WrittenCriteria } from '#events/search/criteria.ts'
import { filterKeys, SearchFilters } from '#events/search/filters.ts'
import { Tag } from '#events/tags.ts'
import { runStates } from './runs.ts'

/** Filters with a check of their names: a policy with a mistyped filter would take more files than its author wants. */
const KnownFilters = z.preprocess((filters, check) => {
  const unknown = Object.keys(Object(filters) as object).filter((name) => !(filterKeys as string[]).includes(name))
  if (unknown.length > 0) check.addIssue(`has unknown filters: ${unknown.join(', ')}`)
  return filters
}, SearchFilters)

/** The files that a policy is about: a search, by the filters of its URL or by criteria. */
export const PolicySearch = z.union([
  z.strictObject({ filters: KnownFilters }),
  z.strictObject({ criteria: WrittenCriteria }),
])
export type PolicySearch = z.infer<typeof PolicySearch>

/** Days without use, at most ten years. */
export const UntouchedDays = z.int().min(1).max(3_650)

/**
 * Action of a policy on the files that it finds. Actions of connected systems have the options of these actions. `ask` sends the owners an
 * email with a page of their files, where they keep or release each within `days`; `domain` completes addresses of owners without an account:
 * ana becomes ana@example.com. `deleteAfterDays` counts from the move to quarantine; null keeps the files there.
 */
export const PolicyAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('nothing') }),
  z.strictObject({ kind: z.literal('tag'), tag: Tag }),
  z.strictObject({
    kind: z.literal('ask'),
    days: z.int().min(1).max(90),
    domain: z
      .string()
      .trim()
      .max(255)
      .regex(/^[\w-]+(\.[\w-]+)+$/, 'must be a domain such as example.com')
      .nullable(),
  }),
  z.strictObject({ kind: z.literal('quarantine'), deleteAfterDays: z.int().min(1).max(3_650).nullable() }),
  z.strictObject({ kind: z.literal('archive'), options: actions.archive.options }),
  z.strictObject({ kind: z.literal('transfer'), options: actions.transfer.options }),
  z.strictObject({ kind: z.literal('store'), options: actions.store.options }),
  z.strictObject({ kind: z.literal('upload'), options: actions.upload.options }),
])
export type PolicyAction = z.infer<typeof PolicyAction>
export type PolicyActionKind = PolicyAction['kind']

/** Labels of the actions of policies, in the order of choices. */
export const policyActionLabels = {
  nothing: 'Nothing, only count',
  tag: 'Tag',
  ask: 'Ask the owners',
  quarantine: 'Move to quarantine',
  archive: 'Archive with Archiware P5',
  transfer: 'Transfer with SODA',
  store: 'Store with Quantum StorNext',
  upload: 'Upload to Iconik',
} as const satisfies Record<PolicyActionKind, string>
export const policyActionKinds = Object.keys(policyActionLabels) as [PolicyActionKind, ...PolicyActionKind[]]

/** Tags that the owners' answers leave. No policy acts on files that their owner keeps. */
export const ownerTags = { keep: 'Kept by owner', release: 'Released by owner' } as const

/**
 * A run waits for approval if the policy would act on more than a limit within a day; null is no limit. `share` is in percent of the bytes of each storage. `twiceUsual`: more than twice the
 * median files or bytes of the last ten runs that acted.
 */
export const PolicyLimits = z.strictObject({
  files: z.int().min(1).nullable().default(10_000),
  bytes: z
    .number()
    .min(1)
    .nullable()
    .default(10 * 2 ** 40),
  share: z.number().min(0.01).max(100).nullable().default(5),
  twiceUsual: z.boolean().default(true),
})
export type PolicyLimits = z.infer<typeof PolicyLimits>

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:30')

/** Days of the week, 0 is Sunday, and the hours of these days, in the server's time zone, in which a policy doesn't act. */
export const QuietHours = z.strictObject({ days: z.array(z.int().min(0).max(6)).min(1).max(7), from: time, to: time })
export type QuietHours = z.infer<typeof QuietHours>

/**
 * A policy takes the files of its search that were neither read, changed nor created within `untouchedDays`. It keeps a copy of the search:
 * changing a saved search changes no policy. The first run, and any after a change of its search, days, action or limits, waits for approval.
 */
export const PolicyDraft = z.object({
  name: nameText({ max: 100 }),
  search: PolicySearch,
  untouchedDays: UntouchedDays.default(180),
  action: PolicyAction,
  limits: PolicyLimits.prefault({}),
  /** Each run needs the approval of a second administrator. */
  needsSecondPerson: z.boolean().default(false),
  /** Null runs only by hand. */
  cron: CronText.nullable().default(null),
  paused: z.boolean().default(false),
  quiet: QuietHours.nullable().default(null),
})
export type PolicyDraft = z.infer<typeof PolicyDraft>

export const Policy = PolicyDraft.extend({
  id: z.int(),
  createdBy: z.string(),
  nextRuns: z.array(z.iso.datetime()),
  /** Runs that wait for approval. */
  waiting: z.int(),
  /** The newest run; null before the first one. */
  lastRun: z
    .object({ at: z.iso.datetime(), state: z.enum(runStates), jobStatus: z.enum(jobStatuses).nullable() })
    .nullish(),
  /** Files that the policy has in quarantine. */
  quarantine: z.object({ files: z.number(), bytes: z.number() }).optional(),
})
export type Policy = z.infer<typeof Policy>

/** By name. Names are unique. A policy with files in quarantine or an open run can't be deleted: 409. */
export const policies = crud('/v1/policies', {
  entity: Policy,
  draft: PolicyDraft,
  one: 'the policy',
  many: 'the policies',
  needs: 'policies.edit',
})
