import { jobStreamPrefix } from '#events/streams.ts'
import { z } from 'zod'
import { ChangeTopic } from './changes.ts'
import { Dashboard } from './dashboard.ts'
import { LoggedEvent } from './event-log/calls.ts'
import { JobDetails, JobRow } from './jobs/calls.ts'
import { ScanRecord } from './scans/calls.ts'
import { Progress } from './scans/lifecycle.ts'

/** What happens while a browser looks on; the server's replicas pass the first four to each other in this form. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** A running scan came further. */
  z.object({
    type: z.literal('scanProgressed'),
    scanId: z.int(),
    jobId: z.int(),
    taskId: z.int(),
    progress: Progress,
  }),
  /** A scan began, ended or changed its state. */
  z.object({ type: z.literal('scanChanged'), scan: ScanRecord }),
  /** The dashboard of the newest date, anew. */
  z.object({ type: z.literal('dashboard'), dashboard: Dashboard }),
  /** Whoever shows one of these reads it again. */
  z.object({ type: z.literal('changed'), topics: z.array(ChangeTopic) }),
  /** Jobs as they now are; of two rows of a job the one with the higher version is the newer. */
  z.object({ type: z.literal('jobs'), jobs: z.array(JobRow) }),
  /** What was appended to the log, ascending. */
  z.object({ type: z.literal('logged'), events: z.array(LoggedEvent) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * What a browser can subscribe to. `jobs` brings the rows that changed and the progress of scans; `job-<id>` brings that job
 * folded, then its events; `log` brings all events of the log. The last three are topics of the log: they can be resumed.
 */
export const Topic = z.union([
  z.enum(['dashboard', 'changed', 'jobs', 'log']),
  z.templateLiteral([jobStreamPrefix, z.string().regex(/^[1-9]\d{0,8}$/)]),
])
export type Topic = z.infer<typeof Topic>

const position = z.int()
/** Up to which position of the event log a topic of the log is told. */
const logged = z.int().optional()

/**
 * What the server says on the socket. Each topic counts its frames in steps of one from a `state` or `resumed`; a browser
 * that misses a number subscribes to that topic again.
 */
export const ServerMessage = z.discriminatedUnion('type', [
  /** The whole of the topic: the dashboard, the job, or nothing where it begins empty. */
  z.object({
    type: z.literal('state'),
    topic: Topic,
    position,
    logged,
    state: z.union([Dashboard, JobDetails]).nullable(),
  }),
  /** All that happened since the `after` of the subscription; nothing is lost, nothing comes twice. */
  z.object({ type: z.literal('resumed'), topic: Topic, position, logged, events: z.array(LiveEvent) }),
  z.object({ type: z.literal('events'), topic: Topic, position, logged, events: z.array(LiveEvent) }),
  /** The user may not see the topic, or no longer; nothing of it follows. */
  z.object({ type: z.literal('refused'), topic: Topic }),
  /** Every 3 seconds, with the build of the client that this server serves. */
  z.object({ type: z.literal('beat'), at: z.iso.datetime(), build: z.string() }),
])
export type ServerMessage = z.infer<typeof ServerMessage>

/** What a browser says on the socket. With `after`, the last `logged` that it has, it asks to be told only what followed. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), topic: Topic, after: z.int().min(0).optional() }),
  z.object({ type: z.literal('unsubscribe'), topic: Topic }),
])
export type ClientMessage = z.infer<typeof ClientMessage>

/** The socket's path, and how often it beats, in milliseconds. */
export const livePath = '/api/live'
export const beatEvery = 3_000
