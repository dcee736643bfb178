import { z } from 'zod'
import { JobPayload, TaskPayload, jobPayloads, taskPayloads } from './payloads.ts'
import { ActResult, fieldsOf, FoundFiles, TaskResult } from './taskResults.ts'
import { resultOf } from './results.ts'
import { type JobStatus, jobStatuses, nextStatuses, statusOf } from './states.ts'
import { type JobType, type TaskType, jobTypes, taskTypes } from './types.ts'

export { type JobStatus, isOpen, jobStatuses } from './states.ts'

const at = z.iso.datetime()
const taskId = z.int()

const jobQueued = <T extends JobType>(jobType: T) =>
  z.object({
    type: z.literal('JobQueued'),
    at,
    jobId: z.int(),
    jobType: z.literal(jobType),
    serverId: z.int(),
    payload: jobPayloads[jobType],
  })
type JobQueuedSchema = { [T in JobType]: ReturnType<typeof jobQueued<T>> }[JobType]
/** A job is queued, with the payload of its type. */
const JobQueued = z.discriminatedUnion('jobType', jobTypes.map(jobQueued) as [JobQueuedSchema, ...JobQueuedSchema[]])

const taskQueued = <T extends TaskType>(taskType: T) =>
  z.object({
    type: z.literal('TaskQueued'),
    at,
    taskId,
    taskType: z.literal(taskType),
    serverId: z.int(),
    payload: taskPayloads[taskType],
  })
type TaskQueuedSchema = { [T in TaskType]: ReturnType<typeof taskQueued<T>> }[TaskType]
/** A task of the job is queued, with the payload of its type. */
const TaskQueued = z.discriminatedUnion(
  'taskType',
  taskTypes.map(taskQueued) as [TaskQueuedSchema, ...TaskQueuedSchema[]],
)

/** Events of a job and its tasks, in the stream `job-<id>`. */
export const JobEvent = z.discriminatedUnion('type', [
  JobQueued,
  TaskQueued,
  /** The task is queued for its agent. */
  z.object({ type: z.literal('TaskDispatched'), at, taskId }),
  /** An order was prepared for a `request` of an agent; repeated if an earlier one for the same request never reached the agent. */
  z.object({
    type: z.literal('TaskStarted'),
    at,
    taskId,
    attempt: z.int(),
    request: z.string().optional(),
    isRepeated: z.boolean().optional(),
  }),
  z.object({ type: z.literal('TaskCommitting'), at, taskId }),
  z.object({ type: z.literal('TaskProgressed'), at, taskId, result: TaskResult }),
  z.object({ type: z.literal('TaskPaused'), at, taskId, by: z.string() }),
  /** The task is queued again and continues from its last checkpoint. */
  z.object({ type: z.literal('TaskResumed'), at, taskId, by: z.string() }),
  /** The worker of the task stopped responding, or hands it over because it stops; the task is queued again. */
  z.object({ type: z.literal('TaskLost'), at, taskId, reason: z.string(), isHandedOver: z.boolean().optional() }),
  z.object({ type: z.literal('TaskSucceeded'), at, taskId, result: TaskResult }),
  /** Ended with parts left out, such as unreadable folders. */
  z.object({ type: z.literal('TaskWarned'), at, taskId, result: TaskResult }),
  /** Scans after an action show where its files are now. Changes the result of a task that has ended, and its status if that is not as it should be. */
  z.object({ type: z.literal('TaskVerified'), at, taskId, found: FoundFiles, isAsExpected: z.boolean() }),
  z.object({ type: z.literal('TaskFailed'), at, taskId, reason: z.string() }),
  /** The worker of the task failed or stopped responding too often. */
  z.object({ type: z.literal('TaskGivenUp'), at, taskId, reason: z.string() }),
  z.object({ type: z.literal('TaskCancelled'), at, taskId, by: z.string() }),
])
export type JobEvent = z.infer<typeof JobEvent>

export const Task = z.object({
  id: z.int(),
  type: z.enum(taskTypes),
  serverId: z.int(),
  status: z.enum(jobStatuses),
  /** Number of starts, and number of starts since a user queued or resumed the task, without repeated ones. */
  attempt: z.int(),
  tries: z.int(),
  /** Number of losses since then. */
  lapses: z.int(),
  payload: TaskPayload,
  result: TaskResult.nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
})
export type Task = z.infer<typeof Task>

export const Job = z.object({
  id: z.int(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  serverId: z.int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
  payload: JobPayload,
  result: TaskResult.nullable(),
  tasks: z.array(Task),
})
export type Job = z.infer<typeof Job>

/** Version of `evolve`, stored with each event; greater with each new type. Projections folded by an earlier version are rebuilt at start. */
export const evolveVersion: number = 3

/** Folds an event into a job. The only place that computes the state of a job, on the server and in the browser. */
export function evolve(job: Job | undefined, event: JobEvent): Job {
  if (event.type === 'JobQueued') return newJob(event)
  if (!job) throw new Error(`A job begins with JobQueued, not with ${event.type}`)
  if (event.type === 'TaskQueued') return settle({ ...job, tasks: [...job.tasks, newTask(event)] }, event.at)
  // A newer version, which runs on the same stores during an update, may append events that this one doesn't know.
  if (event.type !== 'TaskVerified' && !(event.type in statusAfter)) return job
  const tasks = job.tasks.map((task) =>
    task.id === event.taskId
      ? { ...task, ...changeOf(task, event), status: statusOfTask(task, event), updatedAt: endOr(task, event) }
      : task,
  )
  return settle({ ...job, tasks }, endOr(job, event))
}

/** Time of the last change; of verified tasks and their jobs that of their end. */
const endOr = ({ updatedAt }: { updatedAt: string }, event: TaskEvent): string =>
  event.type === 'TaskVerified' ? updatedAt : event.at

type TaskEvent = Exclude<JobEvent, { type: 'JobQueued' | 'TaskQueued' }>

function statusOfTask(task: Task, event: TaskEvent): JobStatus {
  if (event.type !== 'TaskVerified') return statusAfter[event.type]
  return event.isAsExpected && !fieldsOf(task.result).failed ? 'SUCCESS' : 'WARNING'
}

/** Status of a task after each event. */
export const statusAfter = {
  TaskDispatched: 'AVAILABLE',
  TaskStarted: 'RUNNING',
  TaskCommitting: 'RUNNING',
  TaskProgressed: 'RUNNING',
  TaskPaused: 'WAITING',
  TaskResumed: 'AVAILABLE',
  TaskLost: 'AVAILABLE',
  TaskSucceeded: 'SUCCESS',
  TaskWarned: 'WARNING',
  TaskFailed: 'FAILURE',
  TaskGivenUp: 'SCANNER_ERROR',
  TaskCancelled: 'CANCELLED',
} as const satisfies Record<Exclude<TaskEvent['type'], 'TaskVerified'>, JobStatus>

/** Other changes of a task by an event. */
function changeOf(task: Task, event: TaskEvent): Partial<Task> {
  switch (event.type) {
    case 'TaskStarted':
      return {
        startedAt: task.startedAt ?? event.at,
        attempt: event.attempt,
        tries: event.isRepeated ? task.tries : task.tries + 1,
      }
    case 'TaskResumed':
      return { tries: 0, lapses: 0 }
    case 'TaskLost':
      return event.isHandedOver ? {} : { lapses: task.lapses + 1 }
    case 'TaskProgressed':
    case 'TaskSucceeded':
    case 'TaskWarned':
      return { result: event.result }
    case 'TaskVerified':
      return { result: { ...ActResult.parse(task.result ?? {}), found: event.found } }
    case 'TaskFailed':
    case 'TaskGivenUp':
      return { result: { reason: event.reason } }
    default:
      return {}
  }
}

/**
 * True if the event is allowed in the current state of the job. Task statuses follow `nextStatuses`, and finished tasks
 * don't change. An agent may have started a task, or a user paused it, before its dispatch is recorded, which then
 * changes nothing.
 */
export function isEventAllowed(job: Job, event: JobEvent): boolean {
  if (event.type === 'JobQueued') return false
  const task = job.tasks.find(({ id }) => id === event.taskId)
  if (event.type === 'TaskQueued') return task === undefined
  if (event.type === 'TaskVerified')
    return task?.type === 'ACT_ON_FILES' && (task.status === 'SUCCESS' || task.status === 'WARNING')
  if (event.type === 'TaskDispatched') return task?.status === 'NEW'
  return task !== undefined && nextStatuses[task.status].includes(statusAfter[event.type])
}

type Of<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>

const newJob = (event: Of<'JobQueued'>): Job => ({
  id: event.jobId,
  type: event.jobType,
  status: 'NEW',
  serverId: event.serverId,
  createdAt: event.at,
  startedAt: null,
  updatedAt: event.at,
  payload: event.payload,
  result: null,
  tasks: [],
})

const newTask = (event: Of<'TaskQueued'>): Task => ({
  id: event.taskId,
  type: event.taskType,
  serverId: event.serverId,
  status: 'NEW',
  attempt: 0,
  tries: 0,
  lapses: 0,
  payload: event.payload,
  result: null,
  createdAt: event.at,
  startedAt: null,
  updatedAt: event.at,
})

/** Derives the status of a job from those of its tasks. */
function settle(job: Job, at: string): Job {
  return {
    ...job,
    status: statusOf(job.tasks),
    updatedAt: at,
    startedAt: job.startedAt ?? job.tasks.find((task) => task.startedAt)?.startedAt ?? null,
    result: resultOf(job),
  }
}
