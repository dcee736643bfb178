import { z } from 'zod'
import { agentTaskTypes } from './jobs/types.ts'
import { ScanOrder } from './scans/order.ts'

/** Tasks that an agent works on side by side. */
export const tasksAtOnce = 2

/** How long an agent may be silent about a task that it has started, in milliseconds; then the task is queued again. */
export const taskLeaseMs = 60_000

/**
 * A task waiting in an agent's work queue; what it needs is asked for when it starts. A task that is queued again, such as
 * one that was paused, has another `turn` then; each turn is done once.
 */
export const TaskNotice = z.object({
  taskId: z.int(),
  jobId: z.int(),
  type: z.enum(agentTaskTypes),
  turn: z.int().default(0),
})
export type TaskNotice = z.infer<typeof TaskNotice>

/** An agent starts a task as the run of its heartbeats, and with their protocol. */
export const TaskRequest = z.object({
  taskId: z.int(),
  run: z.string().max(64),
  protocol: z.int().default(1),
})

/** The answer to `startTask`: the order, or that the task is over or another run of the agent has it. */
export const TaskAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('scan'), order: ScanOrder }),
  z.object({ type: z.literal('over'), reason: z.string() }),
  /** The server cannot say right now (a store is down): ask again. */
  z.object({ type: z.literal('later'), reason: z.string() }),
])
export type TaskAnswer = z.infer<typeof TaskAnswer>

/** An agent asks for the next page of what its attempt of a task still has to do, such as the folders of a resumed scan. */
export const PendingRequest = z.object({
  taskId: z.int(),
  run: z.string().max(64),
  attempt: z.int(),
  after: z.string(),
})
export type PendingRequest = z.infer<typeof PendingRequest>
export const PendingPage = z.object({ pending: z.array(z.string()), morePending: z.int() })
export type PendingPage = z.infer<typeof PendingPage>

/** The agent is to stop the attempts of a task up to this one, or all there may be. */
export const CancelRequest = z.object({ taskId: z.int(), attempt: z.int().optional() })
export type CancelRequest = z.infer<typeof CancelRequest>
