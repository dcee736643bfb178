import { z } from 'zod'
import { type AgentTaskType, agentTaskTypes } from './jobs/types.ts'
import { ActionOrder } from './actions/orders.ts'
import { externalText } from './contract/externalText.ts'
import { ScanOrder } from './sources/scanOrder.ts'

/** Maximum number of tasks of each type that an agent runs at the same time. */
export const maxConcurrentTasks = { SCAN_VOLUMES: 2, ACT_ON_FILES: 4 } as const satisfies Record<AgentTaskType, number>

/** Milliseconds without a message about a started task after which the task is queued again. */
export const taskLeaseMs = 60_000

/**
 * A task in an agent's work queue; the order is requested when the task starts. A task that is queued again, for
 * example after a pause, has another `turn`; each turn is run once.
 */
export const TaskNotice = z.object({
  taskId: z.int(),
  jobId: z.int(),
  type: z.enum(agentTaskTypes),
  turn: z.int().default(0),
})
export type TaskNotice = z.infer<typeof TaskNotice>

/** Request to start a task, with the run and protocol of the agent's heartbeats. */
export const TaskRequest = z.object({
  taskId: z.int(),
  run: z.string().max(64),
  protocol: z.int().default(1),
  /** The same each time an execution asks for its order. Earlier versions of the agent send none. */
  request: z.string().max(64).optional(),
  /** Reason why the last execution in this process of the agent failed. */
  failure: externalText(1_000).optional(),
})
export type TaskRequest = z.infer<typeof TaskRequest>

/** Answer to `startTask`: the order, or that the task is over or belongs to another run of the agent. */
export const TaskAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('scan'), order: ScanOrder }),
  z.object({ type: z.literal('action'), order: ActionOrder }),
  z.object({ type: z.literal('over'), reason: z.string() }),
  /** The server can't answer right now because a store is down; the agent retries. */
  z.object({ type: z.literal('later'), reason: z.string() }),
])
export type TaskAnswer = z.infer<typeof TaskAnswer>

/** Request for the next page of pending work of an attempt, such as the folders of a resumed scan. */
export const PendingRequest = z.object({
  taskId: z.int(),
  run: z.string().max(64),
  attempt: z.int(),
  after: z.string(),
})
export type PendingRequest = z.infer<typeof PendingRequest>
export const PendingPage = z.object({ pending: z.array(z.string()), morePending: z.int() })
export type PendingPage = z.infer<typeof PendingPage>

/** Stops the attempts of a task up to this one, or all attempts if absent. */
export const CancelRequest = z.object({ taskId: z.int(), attempt: z.int().optional() })
export type CancelRequest = z.infer<typeof CancelRequest>
