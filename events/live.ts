import { jobStreamPrefix } from '#events/streams.ts'
import { z } from 'zod'
import { ChangeTopic } from './changes.ts'
import { Dashboard } from './dashboard.ts'
import { LoggedEvent } from './event-log/calls.ts'
import { JobDetails, JobRow } from './jobs/calls.ts'
import { ScanRecord } from './scans/calls.ts'
import { Progress } from './scans/lifecycle.ts'

/** Live events. The server's replicas also send each other the first four in this form. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** Progress of a running scan. */
  z.object({
    type: z.literal('scanProgressed'),
    scanId: z.int(),
    jobId: z.int(),
    taskId: z.int(),
    progress: Progress,
  }),
  /** A scan started, ended or changed its state. */
  z.object({ type: z.literal('scanChanged'), scan: ScanRecord }),
  /** The complete dashboard of the newest date. */
  z.object({ type: z.literal('dashboard'), dashboard: Dashboard }),
  /** Screens that show one of these topics read it again. */
  z.object({ type: z.literal('changed'), topics: z.array(ChangeTopic) }),
  /** Current rows of jobs. Of two rows of a job, the one with the higher version is newer. */
  z.object({ type: z.literal('jobs'), jobs: z.array(JobRow) }),
  /** Events appended to the log, ascending. */
  z.object({ type: z.literal('logged'), events: z.array(LoggedEvent) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * Topics that a browser can subscribe to. `jobs` has the rows that changed and the progress of scans; `job-<id>` the
 * folded job, then its events; `log` all events of the log. These three are read from the event log and can be resumed.
 */
export const Topic = z.union([
  z.enum(['dashboard', 'changed', 'jobs', 'log']),
  z.templateLiteral([jobStreamPrefix, z.string().regex(/^[1-9]\d{0,8}$/)]),
])
export type Topic = z.infer<typeof Topic>

const position = z.int()
/** Position of the event log up to which the topic is complete. */
const logged = z.int().optional()

/**
 * Messages from the server. Frames of a topic are numbered in steps of one from a `state` or `resumed`. A browser that
 * misses a number subscribes to that topic again.
 */
export const ServerMessage = z.discriminatedUnion('type', [
  /** Full state of the topic: the dashboard, the job, or nothing if the topic starts empty. */
  z.object({
    type: z.literal('state'),
    topic: Topic,
    position,
    logged,
    state: z.union([Dashboard, JobDetails]).nullable(),
  }),
  /** All events since the `after` of the subscription, each exactly once. */
  z.object({ type: z.literal('resumed'), topic: Topic, position, logged, events: z.array(LiveEvent) }),
  z.object({ type: z.literal('events'), topic: Topic, position, logged, events: z.array(LiveEvent) }),
  /** The user may not see the topic, or no longer. Nothing more is sent for it. */
  z.object({ type: z.literal('refused'), topic: Topic }),
  /** Sent every `beatIntervalMs`, with the build of the client that this server serves. */
  z.object({ type: z.literal('beat'), at: z.iso.datetime(), build: z.string() }),
])
export type ServerMessage = z.infer<typeof ServerMessage>

/** Messages from a browser. With `after`, its last `logged`, it receives only what followed. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), topic: Topic, after: z.int().min(0).optional() }),
  z.object({ type: z.literal('unsubscribe'), topic: Topic }),
])
export type ClientMessage = z.infer<typeof ClientMessage>

export const livePath = '/api/live'
export const beatIntervalMs = 3_000
