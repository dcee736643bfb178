import { z } from 'zod'
import { Moment } from '#events/contract/days.ts'
import { endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { taskTypes } from '#events/jobs/types.ts'

/**
 * Kinds of authors: a user, an API token, a wall display, the single sign-on's provider, someone who isn't signed in, and
 * the product itself.
 */
export const actorKinds = ['user', 'token', 'wall', 'provider', 'stranger', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/**
 * An event of the log. `data` is the event itself, with its `type` and `at`; changes of settings also have `before` and
 * `after`. `actor` is a name for display, `system` for automatic actions.
 */
export const LoggedEvent = z.object({
  position: z.int(),
  stream: z.string(),
  version: z.int(),
  type: z.string(),
  actor: z.string(),
  /** The author, regardless of names; absent in events of earlier versions. */
  by: z.object({ kind: z.enum(actorKinds), id: z.int().nullable() }).optional(),
  address: z.string().nullable(),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
  /** For events of a task: its type, and the current name of the storage that it scans. Not stored in the log. */
  task: z.object({ type: z.enum(taskTypes), storage: z.string().nullable() }).optional(),
})
export type LoggedEvent = z.infer<typeof LoggedEvent>

/** Event types that report a failure. Add new ones here. */
export const failureTypes: readonly string[] = [
  'TaskFailed',
  'TaskLost',
  'TaskGivenUp',
  'ScheduleFailed',
  'HealthProblemFound',
  'SignInFailed',
]

/** Text without NUL, which the log can't store. */
const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((value) => !value.includes('\0'), 'must not hold a NUL character')
const oneOrMore = (max: number) =>
  z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(text(100).min(1)).max(max))

/** Filters of events, combined with AND. `from` is inclusive, `to` exclusive. */
export const EventFilters = z.object({
  /** A whole stream, such as `job-42`, or a prefix that ends with `*`: `job-*`. */
  stream: text(200).optional(),
  type: oneOrMore(50),
  actor: text(255).optional(),
  /** ID of an agent: selects changes of the agent and events of its jobs. */
  agent: IdNumber.optional(),
  /** Searches the whole event, ignoring case. */
  text: text(255).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
})
export type EventFilters = z.infer<typeof EventFilters>

const needs = 'events.see'

export const eventLog = {
  /** Newest first by default; `next` is the `after` (ascending) or `before` of the next page. */
  list: endpoint({
    method: 'GET',
    path: '/v1/events',
    needs,
    failure: 'Unable to fetch the events',
    query: EventFilters.extend({
      after: writtenInt(0).optional(),
      before: writtenInt(1).optional(),
      direction: z.enum(['asc', 'desc']).default('desc'),
      size: writtenInt(1, 1_000).default(200),
    }),
    answer: z.object({
      elements: z.array(LoggedEvent),
      next: z.int().nullable(),
      /** Last position of the log, including events outside the filters. */
      newest: z.int(),
    }),
  }),
  one: endpoint({
    method: 'GET',
    path: '/v1/events/:position',
    needs,
    failure: 'Unable to fetch the event',
    params: z.object({ position: writtenInt(1) }),
    answer: LoggedEvent,
  }),
  /** Number of events, and of failures among them, in each of up to `pieces` equal intervals of the range. */
  density: endpoint({
    method: 'GET',
    path: '/v1/events/density',
    needs,
    failure: 'Unable to fetch the events over time',
    query: EventFilters.extend({ pieces: writtenInt(1, 500).default(120) }),
    answer: z.object({
      from: z.iso.datetime().nullable(),
      to: z.iso.datetime().nullable(),
      pieces: z.array(z.object({ at: z.iso.datetime(), events: z.int(), failures: z.int() })),
    }),
  }),
  /** Existing types and actors for the filters, most frequent first. */
  facets: endpoint({
    method: 'GET',
    path: '/v1/events/facets',
    needs,
    failure: 'Unable to fetch the types of events',
    answer: z.object({
      types: z.array(z.object({ type: z.string(), events: z.int() })),
      actors: z.array(z.object({ actor: z.string(), events: z.int() })),
    }),
  }),
  /** One event per line, ascending. */
  export: endpoint({
    method: 'GET',
    path: '/v1/events/export',
    needs,
    failure: 'Unable to export the events',
    query: EventFilters,
    download: 'application/x-ndjson',
  }),
}
